package program

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExit(t *testing.T) {
	for mode, want := range map[string]Exit{
		"say":    {},
		"crash":  {Code: 3},
		"killed": {Code: -1, Signal: "SIGKILL"}, // by the kernel, say: not by us,
	} {
		t.Run(mode, func(t *testing.T) {
			p := start(t, child(t, mode))
			exit := done(t, p)
			if exit.Duration <= 0 {
				t.Errorf("it took %v", exit.Duration)
			}
			exit.Duration = 0
			if diff := cmp.Diff(want, exit); diff != "" {
				t.Error(diff)
			}
			for what, err := range map[string]error{"freeze": p.Freeze(), "thaw": p.Thaw()} {
				if !errors.Is(err, ErrExited) {
					t.Errorf("%s: got %v", what, err)
				}
			}
			if again := p.Kill(); again.KilledByHarness {
				t.Error("a kill that came too late claims the end")
			}
		})
	}
}

func TestExitString(t *testing.T) {
	for want, e := range map[string]Exit{
		"exited with status 2 after 0s":                                                                 {Code: 2},
		"was ended by SIGSEGV after 0s":                                                                 {Code: -1, Signal: "SIGSEGV"},
		"was killed by the harness after 0s":                                                            {Code: -1, Signal: "SIGKILL", KilledByHarness: true},
		"exited with status 0 after 0s, leaving processes behind (killed)":                              {Orphans: true},
		"exited with status 0 after 0s, leaving a process outside its group that holds its output open": {Escaped: true},
	} {
		if diff := cmp.Diff(want, e.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStartFails(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		path string
		want error
	}{
		{"missing", t.Context(), "/does/not/exist", os.ErrNotExist},
		{"not a program", t.Context(), t.TempDir(), os.ErrPermission},
		{"too late", ended, "/bin/true", context.Canceled},
	} {
		_, err := Start(c.ctx, Spec{Name: "server", Path: c.path})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "server") {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if _, err := Start(t.Context(), Spec{Name: "server", Path: "relative"}); err == nil {
		t.Error("a relative path was taken")
	}
}

func TestContextEndsTheProgram(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Start(ctx, child(t, "stubborn"))
	if err != nil {
		t.Fatal(err)
	}
	firstLine(t, p)
	cancel()
	if exit := done(t, p); !exit.KilledByHarness {
		t.Errorf("the program %v", exit)
	}
}

// A program is alive as long as it should be, whatever becomes of the thread
// that asked for it.
func TestProgramOutlivesTheThreadThatAskedForIt(t *testing.T) {
	procs := make(chan *Process)
	go func() {
		defer close(procs)
		runtime.LockOSThread() // the runtime ends this thread with the goroutine
		p, err := Start(context.Background(), child(t, "polite"))
		if err != nil {
			t.Error(err)
			return
		}
		procs <- p
	}()
	p, ok := <-procs
	if !ok {
		return
	}
	<-procs
	t.Cleanup(func() { p.Kill() })
	firstLine(t, p)
	if exit, err := p.Stop(bounded(t), patience); err != nil || exit.Code != 0 {
		t.Errorf("the program %v, %v", exit, err)
	}
}

func TestStdinIsEmpty(t *testing.T) {
	p := start(t, child(t, "stdin"))
	if got := firstLine(t, p); got != "0 <nil>" {
		t.Errorf("got %q", got)
	}
}

// A process that left the group cannot be ended, must not hang us, and is told.
func TestEscapedGrandchildDoesNotHangTheWait(t *testing.T) {
	t.Parallel()
	p := start(t, child(t, "escape"))
	pid := printedPID(t, p)
	exit := done(t, p)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("end the escaped grandchild: %v", err)
	}
	if !exit.Escaped || exit.Orphans || exit.Code != 0 {
		t.Errorf("the program %v", exit)
	}
}
