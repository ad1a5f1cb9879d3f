package program

import (
	"os"
	"syscall"
)

// Place is where a program runs that is not to run among this machine's own processes,
// such as a container. A place is for one program.
//
// The errors of its methods are the machine's trouble, except for ErrExited and
// ErrNoTool.
type Place interface {
	// Launch starts the program, with these files as its stdout and stderr, which stay the
	// caller's to close. Of the spec it uses Path, Args, Env and Dir; PATH and TMPDIR are
	// the place's own. A path without a slash is looked for there: ErrNoTool, wrapped,
	// says that there is none.
	Launch(spec Spec, stdout, stderr *os.File) error
	// Signal sends a signal to the program, or to everything in the place. It returns
	// ErrExited, wrapped, if the program had ended.
	Signal(sig syscall.Signal, all bool) error
	// AwaitStopped returns when the program stands still after SIGSTOP; ErrExited,
	// wrapped, if it ended instead.
	AwaitStopped() error
	// AwaitEnd returns when the program has ended. What it started may still be there.
	AwaitEnd()
	// Reap ends everything that is left in the place, and says how the program ended:
	// all of Exit but KilledByHarness, Duration and Escaped.
	Reap() Exit
	// Publish makes a server of the place reachable from here: it takes the base URL that
	// the program announced and returns the one to use, both "http://HOST:PORT".
	Publish(url string) (string, error)
}
