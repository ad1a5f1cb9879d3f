// Package program builds one stage and runs its processes from outside.
//
// A stage is any program that keeps the stage contract; this package knows
// nothing of its inside, of Redis or of a lesson. It starts a process in a
// group of its own, reads what it prints, freezes it, thaws it, stops it and
// kills it, and says afterwards how it ended.
//
// Three kinds of failure are kept apart, because the learner reads a different
// message for each: the program never said what was awaited (ErrNoLine), it
// ended first (*ExitError), or it said something else (*WrongLineError).
// Everything else is the harness's or the machine's own trouble.
//
// Everything a program printed is made harmless before it leaves the package:
// see Sanitise.
package program
