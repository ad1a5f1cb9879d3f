package check

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/law"
)

// Ensure checks a command that makes sure that an article exists. The input comes first: for a
// command that changes it, a test of the law compares a thing with itself.
func Ensure(t *testing.T, ensure func(id, title string) law.Transition[law.Blog]) {
	t.Helper()
	f := ensure("a", "Spring")
	if before, after, found := law.FindMutation(law.Blogs(), f); found {
		t.Fatal(exercise.Finding{
			Expected: "the blog that was given stays as it was",
			Seen:     fmt.Sprintf("before %+v\nafter  %+v", before, after),
			Because:  "if the input changes, once and twice may be one thing, and the law says nothing",
			Hint:     "copy what you change, and change the copy: Blog has a Clone",
			Lesson:   "unknown-results.md#the-input-stays-as-it-was",
		})
	}
	if c, found := law.Find(law.Blogs(), f); found {
		t.Fatal(exercise.Finding{
			Expected: "the second time changes nothing",
			Seen:     fmt.Sprintf("state %+v\nonce  %+v\ntwice %+v", c.State, c.Once, c.Twice),
			Because:  "F(F(s)) = F(s) is to hold for every state",
			Hint:     "which field is still different after the second time?",
			Lesson:   theLaw,
		})
	}
	var finding exercise.Finding
	if law.Falsify(func(r *rapid.T) {
		before := law.Blogs().Draw(r, "blog")
		want := before.Clone()
		if _, exists := want.Articles["a"]; !exists {
			if want.Articles == nil {
				want.Articles = map[string]law.Article{}
			}
			want.Articles["a"] = law.Article{Title: "Spring"}
		}
		if after := f(before); !law.Same(want, after) {
			finding.Expected, finding.Seen = fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", after)
			r.FailNow()
		}
	}) {
		finding.Because = "ensure means: if there is no such article, make it; if there is one, leave it and all else alone"
		finding.Hint = "a command that does nothing is idempotent too, and so is one that writes over what is there"
		finding.Lesson = "unknown-results.md#create-and-ensure"
		t.Fatal(finding)
	}
}
