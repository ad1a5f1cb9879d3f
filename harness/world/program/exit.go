package program

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Exit says how a process ended.
type Exit struct {
	// Code is its exit status, or -1 if a signal ended it.
	Code int
	// Signal is the name of the signal that ended it ("SIGKILL"), or empty.
	Signal string
	// KilledByHarness says that the signal was ours: Kill, the end of a
	// context, or a grace period that ran out.
	KilledByHarness bool
	// Duration is from the start to the end of the process.
	Duration time.Duration
	// Orphans says that other processes of its group still ran when it ended, or such
	// as had left the group and came to us (see Adopt).
	// They have been killed.
	Orphans bool
	// OutOfMemory says that the system killed one of its processes because all of them
	// together wanted more memory than they may have. Only a container can tell.
	OutOfMemory bool
	// Escaped says that a process outside its group, which the harness cannot
	// reach, held its output open after the end. What that one printed later is
	// not kept.
	Escaped bool
}

// String tells the end in a few words, such as "exited with status 2 after 31ms".
func (e Exit) String() string {
	how := fmt.Sprintf("exited with status %d", e.Code)
	switch {
	case e.KilledByHarness:
		how = "was killed by the harness"
	case e.Signal != "":
		how = "was ended by " + e.Signal
	}
	if e.OutOfMemory {
		how += ", out of the memory that it may use,"
	}
	s := fmt.Sprintf("%s after %v", how, e.Duration.Round(time.Millisecond))
	if e.Orphans {
		s += ", leaving processes behind (killed)"
	}
	if e.Escaped {
		s += ", leaving a process outside its group that holds its output open"
	}
	return s
}

var (
	// ErrNoLine means that time ran out while the program ran on and had not
	// printed what was awaited: "never listened", not "crashed".
	ErrNoLine = errors.New("nothing was printed in time")
	// ErrExited means that the process had already ended, so that there was
	// nothing to freeze, thaw or signal.
	ErrExited = errors.New("the process has ended")
	// ErrStubborn means that the process was still there when its grace period
	// after SIGTERM had run out, and had to be killed.
	ErrStubborn = errors.New("did not stop on SIGTERM and had to be killed")
)

// ExitError means that a program ended while something was still awaited of it.
type ExitError struct {
	// Name is the process's name in reports.
	Name string
	// Awaited is what it did not live to do: "its first line".
	Awaited string
	// Exit is how it ended.
	Exit Exit
	// Tail is its last log lines, sanitised, oldest first.
	Tail []string
}

func (e *ExitError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, before %s", e.Name, e.Exit, e.Awaited)
	if len(e.Tail) == 0 {
		b.WriteString("; it logged nothing")
		return b.String()
	}
	b.WriteString("; its last log lines:")
	for _, l := range e.Tail {
		b.WriteString("\n  | " + l)
	}
	return b.String()
}

// WrongLineError means that the first line is not the one the contract asks for.
type WrongLineError struct {
	// Name is the process's name in reports.
	Name string
	// Line is what it printed, sanitised.
	Line string
}

func (e *WrongLineError) Error() string {
	return fmt.Sprintf(`%s printed "%s" first, not "listening on http://HOST:PORT"`, e.Name, e.Line)
}
