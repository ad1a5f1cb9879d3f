package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/law"
)

// Input checks a test of whether a command changes the article that it is given: on commands that return
// another article, and on commands that work in the list of tags that they were given.
func Input(t *testing.T, changes func(law.Transition[law.Article]) bool) {
	t.Helper()
	for _, c := range []struct {
		name, does, hint string
		f                law.Transition[law.Article]
		want             bool
	}{
		{
			"SetTitle", "returns an article with another title",
			"look at the article that was given, and not at the one that is returned",
			law.SetTitle("Spring"), false,
		},
		{
			"Shout", "writes the tags that it was given in capitals",
			"an article with tags is needed; and a = b copies a struct, while both then hold the same list",
			func(a law.Article) law.Article {
				for i, tag := range a.Tags {
					a.Tags[i] = strings.ToUpper(tag)
				}
				return a
			}, true,
		},
		{
			"Sort", "sorts the tags that it was given",
			"which tags would it leave as they are?",
			law.SortTagsInPlace, true,
		},
		{
			"SortCopied", "sorts a copy of the tags",
			"what is returned may differ; what was given may not",
			func(a law.Article) law.Article {
				a.Tags = slices.Sorted(slices.Values(a.Tags))
				return a
			}, false,
		},
	} {
		if got := changes(c.f); got != c.want {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("%s, which %s: it changes its article: %v", c.name, c.does, c.want),
				Seen:     fmt.Sprint(got),
				Because:  "whoever else holds the article sees what a command does to it, and a test of the law compares a thing with itself",
				Hint:     c.hint,
				Lesson:   "unknown-results.md#the-input-stays-as-it-was",
			})
		}
	}
}
