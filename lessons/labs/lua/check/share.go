package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/lessons/labs/internal/exercise"
)

// Share is what the exercise share asks for.
type Share func(ctx context.Context, rdb *redis.Client, from string, friends []string, points int64) (code string, err error)

// Points checks that points are shared among all friends or among none.
func Points(t testing.TB, share Share) {
	t.Helper()
	points(t, start(t), share)
}

const ann, bob, cy, dee = "points:ann", "points:bob", "points:cy", "points:dee"

// shareCase is about ann, who gives 10 points to each of the others.
type shareCase struct {
	what   string
	before map[string]any
	code   string
	after  map[string]any // nil: as before
}

func points(t testing.TB, s server, share Share) {
	t.Helper()
	for _, c := range []shareCase{
		{"points for three", map[string]any{ann: "100", bob: "1", cy: "2"}, "done",
			map[string]any{ann: "70", bob: "11", cy: "12", dee: "10"}},
		{"all the points that there are", map[string]any{ann: "30", bob: "1"}, "done",
			map[string]any{ann: "0", bob: "11", cy: "10", dee: "10"}},
		{"one friend up to the limit", map[string]any{ann: "100", dee: "990"}, "done",
			map[string]any{ann: "70", bob: "10", cy: "10", dee: "1000"}},
		{"points for two where three ask", map[string]any{ann: "29", bob: "1"}, "too-few", nil},
		{"no points at all", map[string]any{bob: "1"}, "too-few", nil},
		{"a last friend who is full", map[string]any{ann: "100", bob: "1", dee: "991"}, "full", nil},
		{"a first friend who is full", map[string]any{ann: "100", bob: "1000"}, "full", nil},
		{"a last friend whose points are a word", map[string]any{ann: "100", bob: "1", dee: "many"}, "damaged", nil},
		{"a last friend whose points are 1.5", map[string]any{ann: "100", bob: "1", dee: "1.5"}, "damaged", nil},
		{"a giver whose points are a word", map[string]any{ann: "many", bob: "1"}, "damaged", nil},
	} {
		s.story(t, func(rdb, _ *redis.Client) { pointsOf(t, rdb, share, c) })
	}
	s.story(t, func(rdb, _ *redis.Client) { pointsOfList(t, rdb, share) })
}

func pointsOf(t testing.TB, rdb *redis.Client, share Share, c shareCase) {
	t.Helper()
	put(t, rdb, c.before)
	if c.after == nil {
		c.after = c.before
	}
	code, err := share(withinPatience(t), rdb, ann, []string{bob, cy, dee}, 10)
	answers(t, c.what, err)
	if seen := keys(t, rdb); code != c.code || !cmp.Equal(c.after, seen) {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: the answer is %s, and then %s", c.what, c.code, list(c.after)),
			Seen:     fmt.Sprintf("the answer is %s, and then %s", code, list(seen)),
			Because:  "Redis takes nothing back: what was written before a check fails stays written",
			Hint:     "two loops: the first one checks and computes, the second one writes",
			Lesson:   computeFirst,
		})
	}
}

func pointsOfList(t testing.TB, rdb *redis.Client, share Share) {
	t.Helper()
	before := map[string]any{ann: "100", bob: "1", dee: []string{"x"}}
	put(t, rdb, before)
	_, err := share(withinPatience(t), rdb, ann, []string{bob, cy, dee}, 10)
	if seen := keys(t, rdb); err == nil || !cmp.Equal(before, seen) {
		t.Fatal(exercise.Finding{
			Expected: "a last friend whose key holds a list: an error, and then " + list(before),
			Seen:     fmt.Sprintf("an error %v, and then %s", err != nil, list(seen)),
			Because:  "a technical error is raised by the first read of that key, so that read has to come before every write",
			Hint:     "read all keys first",
			Lesson:   computeFirst,
		})
	}
}

const computeFirst = "lua-scripts.md#compute-first-write-after"
