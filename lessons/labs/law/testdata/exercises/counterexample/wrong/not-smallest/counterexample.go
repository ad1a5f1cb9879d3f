// Package counterexample: where does the law F(F(s)) = F(s) fail?
//
// Two commands are given. For each of them, write down the smallest state for which the law fails, and
// what the command makes of it, once and twice. Small means: numbers as near to 0 as they can be, and
// the earliest state in the list of states.
//
// Then run: make lab LAB=law
package counterexample

import "example.com/importer/lessons/labs/law"

// Count is a command: it counts a view.
func Count(views int) int { return views + 1 }

// Step is where an article is on its way to its readers.
type Step string

const (
	Draft    Step = "draft"
	InReview Step = "in review"
	Printed  Step = "printed"
)

// Promote is a command: it takes an article one step on, up to the last.
func Promote(s Step) Step {
	if s == Draft {
		return InReview
	}
	return Printed
}

// OfCount is your answer for Count.
func OfCount() law.Counterexample[int] {
	return law.Counterexample[int]{State: 5, Once: 6, Twice: 7}
}

// OfPromote is your answer for Promote.
func OfPromote() law.Counterexample[Step] {
	return law.Counterexample[Step]{State: Draft, Once: InReview, Twice: Printed}
}
