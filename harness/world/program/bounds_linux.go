package program

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// bound limits what a process that has just been started may use of the machine, and
// every process that it starts. Memory is bounded by what can be written to
// (RLIMIT_DATA), not by addresses: Go, Java and JavaScript reserve far more of those
// than they use. Each process has the bound to itself; only a container bounds them
// together.
func bound(pid int, l Limits) error {
	for _, r := range []struct {
		what     string
		resource int
		most     int64
	}{
		{"memory", unix.RLIMIT_DATA, l.MaxMemory},
		{"the size of files", unix.RLIMIT_FSIZE, l.MaxFile},
		{"core dumps", unix.RLIMIT_CORE, 0},
	} {
		limit := &unix.Rlimit{Cur: uint64(r.most), Max: uint64(r.most)}
		if err := unix.Prlimit(pid, r.resource, limit, nil); err != nil && err != unix.ESRCH { // it may have ended already
			return fmt.Errorf("bound %s: %w", r.what, err)
		}
	}
	return nil
}
