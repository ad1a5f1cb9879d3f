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
func Points(t *testing.T, share Share) {
	t.Helper()
	const ann, bob, cy, dee = "points:ann", "points:bob", "points:cy", "points:dee"
	s := start(t)
	friends := []string{bob, cy, dee}
	for _, c := range []struct {
		what   string
		before map[string]any
		code   string
		after  map[string]any // nil: as before
	}{
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
		rdb, _ := s.two(t)
		put(t, rdb, c.before)
		if c.after == nil {
			c.after = c.before
		}
		code, err := share(withinPatience(t), rdb, ann, friends, 10)
		seen := keys(t, rdb)
		if err == nil && code == c.code && cmp.Equal(c.after, seen) {
			continue
		}
		answer := "the answer is " + code
		if err != nil {
			answer = "an error"
		}
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: the answer is %s, and then the keys are %v", c.what, c.code, c.after),
			Seen:     fmt.Sprintf("%s, and the keys are %v", answer, seen),
			Because:  "Redis takes nothing back: what was written before a check fails stays written",
			Hint:     "two loops: the first one checks and computes, the second one writes",
			Lesson:   computeFirst,
		})
	}

	rdb, _ := s.two(t)
	before := map[string]any{ann: "100", bob: "1", dee: []string{"x"}}
	put(t, rdb, before)
	_, err := share(withinPatience(t), rdb, ann, friends, 10)
	if seen := keys(t, rdb); err == nil || !cmp.Equal(before, seen) {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("a last friend whose key holds a list: an error, and the keys stay %v", before),
			Seen:     fmt.Sprintf("error: %v, and the keys are %v", err != nil, seen),
			Because:  "a technical error is raised by the first read of that key, so that read has to come before every write",
			Hint:     "read all keys first",
			Lesson:   computeFirst,
		})
	}
}

const computeFirst = "lua-scripts.md#compute-first-write-after"
