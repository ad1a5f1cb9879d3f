// Package law puts one law to the test: a command is idempotent if giving it again changes nothing,
// F(F(s)) = F(s), whatever the state s is.
package law

import (
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Transition is what one fixed command, with its arguments in it, does to a state. It returns the
// state after the command and leaves the one it was given as it was.
type Transition[S any] func(S) S

// Counterexample is a state for which the law fails, and what the command makes of it.
type Counterexample[S any] struct {
	State, Once, Twice S
}

// At gives the command to s, and then to what has become of it. The law holds at s if both outcomes
// are the same.
func (f Transition[S]) At(s S) (c Counterexample[S], holds bool) {
	once := f(s)
	twice := f(once)
	return Counterexample[S]{State: s, Once: once, Twice: twice}, Same(once, twice)
}

// Same compares by structure: all fields, all elements, and never by where they lie in memory. A list
// that is empty and one that was never made are both no elements.
func Same[S any](a, b S) bool { return cmp.Equal(a, b, cmpopts.EquateEmpty()) }

// Difference shows what is not the same, and is empty if all is.
func Difference[S any](a, b S) string { return cmp.Diff(a, b, cmpopts.EquateEmpty()) }
