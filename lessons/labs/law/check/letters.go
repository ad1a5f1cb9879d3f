package check

import (
	"fmt"
	"testing"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/law"
)

const letterLesson = "unknown-results.md#what-belongs-to-the-state"

// Letters checks a model in which letters can be seen: publish sends one each time, so the law has to
// fail for it; once sends the first one only, so the law has to hold.
func Letters[S any](t *testing.T, start S, letters func(S) []string, publish, once law.Transition[S]) {
	t.Helper()
	for _, command := range []struct {
		name  string
		f     law.Transition[S]
		wants [2]int // letters after it was given once and twice
	}{{"Publish", publish, [2]int{1, 2}}, {"PublishOnce", once, [2]int{1, 1}}} {
		c, holds := command.f.At(start)
		seen := [2]int{len(letters(c.Once)), len(letters(c.Twice))}
		if had := len(letters(start)); had != 0 {
			t.Fatal(exercise.Finding{
				Expected: "no letter at the start, also after " + command.name,
				Seen:     fmt.Sprintf("%d letters", had),
				Because:  "a command leaves the state that it was given as it was",
				Hint:     "a letter belongs to the state that is returned, and to no variable outside of it",
				Lesson:   letterLesson,
			})
		}
		if seen != command.wants {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("%s: letters in the state after once and twice: %v", command.name, command.wants),
				Seen:     fmt.Sprint(seen),
				Because:  "readers get a letter each time that one is sent; a model without it cannot say so",
				Hint:     "give State a field for what was sent, and let Letters return it",
				Lesson:   letterLesson,
			})
		}
		if wanted := command.wants[0] == command.wants[1]; holds != wanted {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("%s: the law holds: %v", command.name, wanted),
				Seen:     fmt.Sprintf("once  %+v\ntwice %+v", c.Once, c.Twice),
				Because:  "the law compares states, with all that is in them",
				Hint:     "which part of the state does the second time change?",
				Lesson:   letterLesson,
			})
		}
	}
	if first, same := publish(start), once(start); !law.Same(first, same) {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("PublishOnce does the first time what Publish does: %+v", first),
			Seen:     fmt.Sprintf("%+v", same),
			Because:  "to be repeatable is worth nothing if the work is not done",
			Lesson:   letterLesson,
		})
	}
}
