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
func Unlock(t *testing.T, release Release) {
	t.Helper()
	s := start(t)
	for _, c := range []struct {
		what, token string
		before      map[string]any
		released    bool
		after       map[string]any
	}{
		{"a lock that is mine", "token-a", map[string]any{lock: "token-a"}, true, map[string]any{}},
		{"a lock that is another's by now", "token-a", map[string]any{lock: "token-b"}, false, map[string]any{lock: "token-b"}},
		{"a lock that is nobody's", "token-a", map[string]any{}, false, map[string]any{}},
		{"a lock with a token that begins like mine", "token-a", map[string]any{lock: "token-a2"}, false, map[string]any{lock: "token-a2"}},
		{"a lock with a token that is a pattern", ".*", map[string]any{lock: "token-b"}, false, map[string]any{lock: "token-b"}},
	} {
		rdb, _ := s.two(t)
		put(t, rdb, c.before)
		released, err := release(withinPatience(t), rdb, lock, c.token)
		answers(t, c.what, err)
		if diff := cmp.Diff(c.after, keys(t, rdb)); diff != "" || released != c.released {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("%s: released %v, and then the keys are %v", c.what, c.released, c.after),
				Seen:     fmt.Sprintf("released %v, and the keys are %v", released, keys(t, rdb)),
				Because:  "a process that was late must not delete what has become another's",
				Hint:     "the token in ARGV[1] is what tells mine from theirs",
				Lesson:   compare,
			})
		}
	}
	for nth := 1; nth <= mostMessages; nth++ {
		if !unlockMeddledWith(t, s, release, nth) {
			break
		}
	}
	unlockOfList(t, s, release)
}

// unlockMeddledWith lets the lock run out and become another's before the nth message.
func unlockMeddledWith(t *testing.T, s server, release Release, nth int) (happened bool) {
	t.Helper()
	late, other := s.two(t)
	put(t, late, map[string]any{lock: "token-a"})
	asked := meddle(late, nth, func() { put(t, other, map[string]any{lock: "token-b"}) })
	released, err := release(withinPatience(t), late, lock, "token-a")
	answers(t, "the release", err)
	if held := other.Get(t.Context(), lock).Val(); asked() && (released || held != "token-b") {
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

func unlockOfList(t *testing.T, s server, release Release) {
	t.Helper()
	rdb, _ := s.two(t)
	before := map[string]any{lock: []string{"token-a"}}
	put(t, rdb, before)
	released, err := release(withinPatience(t), rdb, lock, "token-a")
	if diff := cmp.Diff(before, keys(t, rdb)); err == nil || released || diff != "" {
		t.Fatal(exercise.Finding{
			Expected: "a key that holds a list: an error, and the list stays",
			Seen:     fmt.Sprintf("released %v, error %v, and the keys are %v", released, err, keys(t, rdb)),
			Because:  "another type is trouble, and not the answer \"not mine\"",
			Hint:     "redis.call lets the error through",
			Lesson:   "lua-scripts.md#a-refusal-is-no-error",
		})
	}
}
