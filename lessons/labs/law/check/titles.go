package check

import (
	"fmt"
	"strings"
	"testing"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/law"
)

// Tester is what the exercise titles asks for: the titles for which the law fails, of those that the
// learner tries.
type Tester func(set func(title string) law.Transition[law.Article]) (failing []string)

// Titles checks a test of the law: on the command that is right, and on some that are wrong for one
// kind of title and right for all others.
func Titles(t *testing.T, failing Tester) {
	t.Helper()
	if got := failing(law.SetTitle); len(got) > 0 {
		t.Fatal(exercise.Finding{
			Expected: "SetTitle: no title for which the law fails",
			Seen:     fmt.Sprintf("%q", got),
			Because:  "the title is then the one that was asked for, however often",
			Hint:     "what do you compare with what? The law compares F(s) and F(F(s))",
			Lesson:   theLaw,
		})
	}
	for _, c := range []struct {
		name, does, hint string
		wrong            func(title string) bool
		harm             func(a *law.Article, title string)
	}{
		{
			"Append", "writes each title behind the one that is there",
			"the second time is to be given what has become of the first: f(f(s))",
			func(title string) bool { return title != "" },
			func(a *law.Article, title string) { a.Title += title },
		},
		{
			"Number", "numbers an article that has no title",
			"which is the shortest title?",
			func(title string) bool { return title == "" },
			func(a *law.Article, _ string) { a.Title += "?" },
		},
		{
			"Shorten", "cuts a title of more than 40 bytes, each time a little more",
			"have you tried a long one?",
			func(title string) bool { return len(title) > 40 },
			func(a *law.Article, title string) {
				if a.Title == "" || !strings.HasPrefix(title, a.Title) {
					a.Title = title
				}
				a.Title = a.Title[:len(a.Title)-1]
			},
		},
		{
			"Recode", "counts a view when a title has a letter outside of ASCII",
			"compare the whole article, and try letters of other languages",
			func(title string) bool { return strings.ContainsFunc(title, func(r rune) bool { return r > 127 }) },
			func(a *law.Article, title string) { a.Title = title; a.Views++ },
		},
	} {
		set := func(title string) law.Transition[law.Article] {
			return func(a law.Article) law.Article {
				if !c.wrong(title) {
					return law.SetTitle(title)(a)
				}
				c.harm(&a, title)
				return a
			}
		}
		got := failing(set)
		if len(got) == 0 {
			t.Fatal(exercise.Finding{
				Expected: c.name + ", which " + c.does + ": a title for which the law fails",
				Seen:     "none: the test passes",
				Because:  "a title that passes says nothing about another one",
				Hint:     c.hint,
				Lesson:   theLaw,
			})
		}
		for _, title := range got {
			if !c.wrong(title) {
				t.Fatal(exercise.Finding{
					Expected: fmt.Sprintf("%s: the law holds for the title %q", c.name, title),
					Seen:     "it is said to fail",
					Because:  "a test that fails for what is right helps nobody",
					Hint:     "each title begins with an article of its own",
					Lesson:   theLaw,
				})
			}
		}
	}
}
