package program

import (
	"os"
	"time"
)

// Spec says what to start.
type Spec struct {
	// Name is what reports call the process: "server", "worker-1".
	Name string
	// Path is the absolute path of the program; in a place of its own it may also be a
	// name that is looked for there.
	Path string
	// Args are its arguments, without the program's own name.
	Args []string
	// Env is the environment the program gets, each "NAME=value". Besides it
	// the program gets PATH and TMPDIR, if the harness has them and Env does not
	// set them, and nothing else: a stage in another language needs PATH for
	// its interpreter, and no stage needs our settings or secrets. HOME is left
	// out on purpose: what lies there is the user's, not the stage's.
	Env []string
	// Dir is the working directory; empty means the harness's own.
	Dir string
	// In is a place of its own for the program, such as a container; nil: it is a
	// process of this machine.
	In Place
	// Limits bound what it may use, and what is kept of its output.
	Limits Limits
	// Each, if not nil, is called with every line of stdout and stderr as it comes,
	// from the two goroutines that read them. While it runs the program may have to
	// wait with its output.
	Each func(Line)
}

// Limits bound what one program may use, and what the harness keeps of its output. A zero field means its
// default. A program that prints more is never blocked by it.
type Limits struct {
	// MaxOutput is how many bytes are kept of stdout and of stderr, each
	// (default 1 MiB). Half goes to the first lines and half to the last ones;
	// what lies between is counted and dropped. A line counts with a little
	// more than its length, so that empty lines are not free.
	MaxOutput int
	// MaxLine is how many bytes of one line are kept (default 64 KiB).
	MaxLine int
	// MaxMemory is how many bytes of memory each of its processes may write to
	// (default 2 GiB), where the system can bound that. A program that asks for more
	// is refused it.
	MaxMemory int64
	// MaxFile is how many bytes a file may hold that it writes (default 256 MiB).
	MaxFile int64
	// MaxRun bounds Run, and Run alone (default 1 minute).
	MaxRun time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.MaxOutput <= 0 {
		l.MaxOutput = 1 << 20
	}
	if l.MaxLine <= 0 {
		l.MaxLine = 64 << 10
	}
	if l.MaxMemory <= 0 {
		l.MaxMemory = 2 << 30
	}
	if l.MaxFile <= 0 {
		l.MaxFile = 256 << 20
	}
	if l.MaxRun <= 0 {
		l.MaxRun = time.Minute
	}
	return l
}

// environment is never nil: to os/exec a nil environment means "inherit
// everything", which is the one thing that must not happen.
func (s Spec) environment() []string {
	env := make([]string, 0, len(s.Env)+2)
	for _, name := range []string{"PATH", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, s.Env...) // of two values for one name the last one counts
}
