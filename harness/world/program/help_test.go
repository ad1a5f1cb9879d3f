package program

import (
	"context"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// patience bounds every wait of a test; no test that passes comes near it.
const patience = 30 * time.Second

func child(t *testing.T, mode string, env ...string) Spec {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Spec{Name: "worker-1", Path: exe, Env: append(env, childMode+"="+mode)}
}

// bounded is a context that ends before the test run's own bound does.
func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// start starts a program that is gone when the test is.
func start(t *testing.T, spec Spec) *Process {
	t.Helper()
	p, err := Start(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill() })
	return p
}

// firstLine waits until the program is up.
func firstLine(t *testing.T, p *Process) string {
	t.Helper()
	line, err := p.FirstLine(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// printedPID reads the process id that the program printed first.
func printedPID(t *testing.T, p *Process) int {
	t.Helper()
	line := firstLine(t, p)
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("the program printed %q, not a process id", line)
	}
	return pid
}

func done(t *testing.T, p *Process) Exit {
	t.Helper()
	select {
	case <-p.Done():
	case <-bounded(t).Done():
		t.Fatalf("%s has not ended", p.Name())
	}
	exit, ok := p.Exit()
	if !ok {
		t.Fatal("Done is closed and Exit is not known")
	}
	return exit
}

func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
