package program

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

var adopting atomic.Bool

// Adopt makes this process the parent of whatever its programs leave behind: a process
// that has left its group and its session (a daemon) is then found and killed when the
// program that it comes from has ended, and at the latest by EndAdopted. It is for a
// harness that has the process to itself; without it, such a process is only reported
// (Exit.Escaped), and only if it holds an output open.
func Adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the parent of orphans: %w", err)
	}
	adopting.Store(true)
	return nil
}

// Shield keeps other processes of the same user from reading and changing the memory of
// this one, and from reading the environment that it was started with. It is of no
// avail against root.
func Shield() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("shield the harness: %w", err)
	}
	return nil
}

// EndAdopted kills every child of this process and returns when all are gone. Nothing
// that is still needed may be running.
func EndAdopted() {
	endChildren(func(int) bool { return true })
}

// endAdopted kills the adopted processes that have the environment of a program which
// has ended, and says whether there were any. Every program that speaks to Redis has
// an address of its own there, so this finds what has not gone out of its way to hide.
func endAdopted(environment []string) bool {
	if !adopting.Load() || len(environment) == 0 {
		return false
	}
	return endChildren(func(pid int) bool {
		content, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err != nil {
			return false
		}
		has := bytes.Split(bytes.TrimRight(content, "\x00"), []byte{0})
		for _, want := range environment {
			if !slices.ContainsFunc(has, func(kv []byte) bool { return string(kv) == want }) {
				return false
			}
		}
		return true
	})
}

// endChildren kills the children that match, with their groups, until there is none:
// what they leave behind becomes a child as well.
func endChildren(match func(pid int) bool) (found bool) {
	until := time.Now().Add(orphansFor)
	for time.Now().Before(until) {
		var ours []int
		for _, pid := range ownChildren() {
			if match(pid) {
				ours = append(ours, pid)
			}
		}
		if len(ours) == 0 {
			return found
		}
		for _, pid := range ours {
			found = true
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = unix.Wait4(pid, nil, 0, nil) // ours, and nobody else waits for it
		}
	}
	return found
}

// ownChildren lists the children of this process that are no programs of this package.
func ownChildren() []int {
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return nil
	}
	var pids []int
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range bytes.Fields(content) {
			pid, err := strconv.Atoi(string(field))
			if _, started := running.Load(pid); err == nil && !started {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
