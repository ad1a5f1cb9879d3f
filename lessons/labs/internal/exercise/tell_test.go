package exercise

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTell(t *testing.T) {
	of := func(name string) Exercise { return Exercise{Lab: "queue", Name: name, root: "."} }
	var b strings.Builder
	err := Tell(&b, []Result{
		{Exercise: of("first"), Verdict: Solved},
		{Exercise: of("praised"), Verdict: Solved, Says: "because"},
		{Exercise: of("rehearsed"), Verdict: Solved, Rehearsal: "rehearsed on miniredis only"},
		{Exercise: of("second"), Verdict: NotYet, Says: "expected  1\n\nseen      2"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `queue/first: solved
queue/praised: solved
  because
queue/rehearsed: solved
  rehearsed on miniredis only
queue/second: not yet
  expected  1

  seen      2
  your files are in lessons/labs/work/queue/second

3 of 4 solved
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFinding(t *testing.T) {
	got := Finding{Expected: "1", Seen: "2\nand 3", Hint: "count", Lesson: "one.md#two"}.String()
	want := "expected  1\nseen      2\n          and 3\nhint      count\nlesson    lessons/one.md#two"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
