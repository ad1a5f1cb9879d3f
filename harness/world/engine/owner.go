package engine

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// owner is the process that started a container. It is written on the container, so that a later
// run can tell a container that is in use from one whose harness was killed.
type owner struct {
	pid  int
	host string
	// space tells apart processes that have the same number in different containers of one host.
	// Only Linux tells; elsewhere it is empty.
	space string
}

func self() owner {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown" // then nothing is ours to remove but what another unknown host left
	}
	return owner{pid: os.Getpid(), host: host, space: pidSpace()}
}

func (o owner) String() string { return fmt.Sprintf("%d@%s", o.pid, o.host) }

func parseOwner(name, space string) (owner, error) {
	pid, host, found := strings.Cut(name, "@")
	number, err := strconv.Atoi(pid)
	if !found || err != nil || number <= 0 {
		return owner{}, fmt.Errorf("container owner %q is not pid@host", name)
	}
	return owner{pid: number, host: host, space: space}, nil
}

// gone says that the owner has certainly ended. Doubt counts as alive, and so does another process
// that was given the same number since: a container too many is a smaller trouble than a Redis
// taken from a run that uses it.
func (o owner) gone() bool {
	me := self()
	if o.host != me.host || o.space != me.space {
		return false
	}
	process, err := os.FindProcess(o.pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }() // fails only for a process that has ended
	return errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

// pidSpace names the numbering that this process' number belongs to.
func pidSpace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return space
}
