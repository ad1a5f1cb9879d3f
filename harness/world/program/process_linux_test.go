package program

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// state returns the letter that the kernel shows for a process or thread, and
// "" if there is none.
func state(stat string) string {
	b, err := os.ReadFile(stat)
	if err != nil {
		return ""
	}
	return strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))[0]
}

// stopped reports whether every thread of a process is in state T.
func stopped(t *testing.T, pid int) (standsStill, known bool) {
	t.Helper()
	threads, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task/*/stat"))
	if err != nil || len(threads) == 0 {
		t.Fatalf("no threads of %d: %v", pid, err)
	}
	for _, stat := range threads {
		if s := state(stat); s != "T" {
			t.Logf("%s: %s", stat, s)
			return false, true
		}
	}
	return true, true
}

func gone(pid int) bool {
	s := state("/proc/" + strconv.Itoa(pid) + "/stat")
	return s == "" || s == "Z" || s == "X"
}

// When the leader is gone, so is its group, before Done.
func TestOrphansAreKilledAndTold(t *testing.T) {
	p := start(t, child(t, "orphan"))
	pid := printedPID(t, p)
	exit := done(t, p)
	if !exit.Orphans || exit.Escaped || exit.Code != 0 {
		t.Errorf("the program %v", exit)
	}
	if !gone(pid) {
		t.Error("the grandchild runs on")
	}
}

func TestKillEndsTheWholeFamily(t *testing.T) {
	p := start(t, child(t, "family"))
	pid := printedPID(t, p)
	if err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	p.Kill()
	if !gone(pid) {
		t.Error("the grandchild runs on")
	}
}

// A harness that is killed outright takes its programs with it, though they are
// in groups of their own.
func TestProgramDiesWithTheHarness(t *testing.T) {
	p := start(t, child(t, "harness"))
	pid := printedPID(t, p)
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if exit := done(t, p); exit.KilledByHarness || exit.Signal != "SIGKILL" {
		t.Errorf("a kill that was not ours: %v", exit)
	}
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	pollUntil(fds, time.Now().Add(patience))
	if !gone(pid) {
		t.Error("the program outlives its harness")
		syscall.Kill(pid, syscall.SIGKILL)
	}
}
