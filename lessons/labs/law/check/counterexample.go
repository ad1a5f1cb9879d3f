// Package check holds the checks of the exercises of this lab.
package check

import (
	"fmt"
	"testing"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/law"
)

const theLaw = "unknown-results.md#the-law"

// Counterexample checks an answer to "where does the law fail for f?". The learner's state has to be
// the smallest one, and the two outcomes are to be worked out by hand.
func Counterexample[S comparable](t *testing.T, command string, f law.Transition[S], answer law.Counterexample[S], smaller func(S) (S, bool)) {
	t.Helper()
	right, holds := f.At(answer.State)
	if holds {
		t.Fatal(exercise.Finding{
			Expected: command + ": a state for which the second time makes a difference",
			Seen:     fmt.Sprintf("%+v, and the law holds there", answer.State),
			Because:  "a counterexample is a state s with F(F(s)) other than F(s)",
			Hint:     "follow the code with your state in hand, twice",
			Lesson:   theLaw,
		})
	}
	for _, outcome := range []struct {
		name      string
		want, got S
	}{{"Once", right.Once, answer.Once}, {"Twice", right.Twice, answer.Twice}} {
		if outcome.want != outcome.got {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("%s: %s is what the command makes of %+v", command, outcome.name, answer.State),
				Seen:     fmt.Sprintf("%s: %+v", outcome.name, outcome.got),
				Because:  "Once is F(State), and Twice is F(Once)",
				Hint:     "run the command in your head, then in a test of your own",
				Lesson:   theLaw,
			})
		}
	}
	if less, is := smaller(answer.State); is {
		if _, holds := f.At(less); !holds {
			t.Fatal(exercise.Finding{
				Expected: command + ": the smallest state for which the law fails",
				Seen:     fmt.Sprintf("%+v, and a smaller one will do", answer.State),
				Because:  "a small counterexample shows the cause and nothing else",
				Hint:     "which part of your state does the command not look at?",
				Lesson:   theLaw,
			})
		}
	}
}
