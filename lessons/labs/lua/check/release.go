package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/lessons/labs/internal/exercise"
)

const (
	lock    = "lock:stock"
	compare = "lua-scripts.md#delete-what-is-still-mine"
)

// Release is what the exercise release asks for.
type Release func(ctx context.Context, rdb *redis.Client, key, token string) (released bool, err error)

// Unlock checks that a lock is given back by its owner and by nobody else.
func Unlock(t testing.TB, release Release) {
	t.Helper()
	unlock(t, start(t), release)
}

func unlock(t testing.TB, s server, release Release) {
	t.Helper()
	for _, c := range []lockCase{
		{"a lock that is mine", "4711", map[string]any{lock: "4711"}, true, map[string]any{}},
		{"a lock that is another's by now", "4711", map[string]any{lock: "4712"}, false, map[string]any{lock: "4712"}},
		{"a lock that is nobody's", "4711", map[string]any{}, false, map[string]any{}},
		{"a lock with a token that begins like mine", "4711", map[string]any{lock: "47112"}, false, map[string]any{lock: "47112"}},
		{"a lock with a token that is a pattern", ".*", map[string]any{lock: "4712"}, false, map[string]any{lock: "4712"}},
	} {
		s.story(t, func(rdb, _ *redis.Client) { unlockAlone(t, rdb, release, c) })
	}
	beforeEachMessage(t, s, func(a, b *redis.Client, nth int) bool { return unlockMeddledWith(t, a, b, release, nth) })
	s.story(t, func(rdb, _ *redis.Client) { unlockOfList(t, rdb, release) })
}

type lockCase struct {
	what, token string
	before      map[string]any
	released    bool
	after       map[string]any
}

func unlockAlone(t testing.TB, rdb *redis.Client, release Release, c lockCase) {
	t.Helper()
	put(t, rdb, c.before)
	released, err := release(withinPatience(t), rdb, lock, c.token)
	answers(t, c.what, err)
	if diff := cmp.Diff(c.after, keys(t, rdb)); diff != "" || released != c.released {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: released %v, and then %s", c.what, c.released, list(c.after)),
			Seen:     fmt.Sprintf("released %v, and then %s", released, list(keys(t, rdb))),
			Because:  "a process that was late must not delete what has become another's",
			Hint:     "the token in ARGV[1] is what tells mine from theirs",
			Lesson:   compare,
		})
	}
}

// unlockMeddledWith lets the lock run out and become another's before the nth message.
func unlockMeddledWith(t testing.TB, late, other *redis.Client, release Release, nth int) (happened bool) {
	t.Helper()
	put(t, late, map[string]any{lock: "4711"})
	asked := meddle(late, nth, func() { put(t, other, map[string]any{lock: "4712"}) })
	released, err := release(withinPatience(t), late, lock, "4711")
	answers(t, "the release", err)
	if held := other.Get(t.Context(), lock).Val(); asked() && (released || held != "4712") {
		t.Fatal(exercise.Finding{
			Expected: "the lock became another's before message " + fmt.Sprint(nth) + ", and stays another's",
			Seen:     fmt.Sprintf("released %v, and the lock holds %q", released, held),
			Because:  "between two messages of one client, anybody may send anything",
			Hint:     "compare and delete in one script",
			Lesson:   compare,
		})
	}
	return asked()
}

func unlockOfList(t testing.TB, rdb *redis.Client, release Release) {
	t.Helper()
	before := map[string]any{lock: []string{"4711"}}
	put(t, rdb, before)
	released, err := release(withinPatience(t), rdb, lock, "4711")
	if diff := cmp.Diff(before, keys(t, rdb)); err == nil || released || diff != "" {
		t.Fatal(exercise.Finding{
			Expected: "a key that holds a list: an error, and the list stays",
			Seen:     fmt.Sprintf("released %v, an error %v, and then %s", released, err != nil, list(keys(t, rdb))),
			Because:  "another type is trouble, and not the answer \"not mine\"",
			Hint:     "redis.call lets the error through",
			Lesson:   "lua-scripts.md#a-refusal-is-no-error",
		})
	}
}
