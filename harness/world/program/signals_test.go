package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

func TestStop(t *testing.T) {
	p := start(t, child(t, "polite"))
	firstLine(t, p)
	exit, err := p.Stop(bounded(t), patience)
	if err != nil || exit.Code != 0 || exit.KilledByHarness {
		t.Errorf("the program %v, %v", exit, err)
	}
	// What it said while it went is not lost, and a second Stop tells the same.
	if got := p.Tail(1); len(got) != 1 || got[0] != "stopped on request" {
		t.Errorf("its last words are %q", got)
	}
	if again, err := p.Stop(bounded(t), 0); again != exit || err != nil {
		t.Errorf("again: %v, %v", again, err)
	}
}

func TestStopThawsFirst(t *testing.T) {
	p := start(t, child(t, "polite"))
	firstLine(t, p)
	if err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	if exit, err := p.Stop(bounded(t), patience); err != nil || exit.Code != 0 {
		t.Errorf("the program %v, %v", exit, err)
	}
}

func TestStopHasToKill(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name  string
		ctx   context.Context
		grace time.Duration
		want  error
	}{
		{"grace runs out", t.Context(), time.Millisecond, ErrStubborn},
		{"the caller's time runs out", ended, patience, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := start(t, child(t, "stubborn"))
			firstLine(t, p)
			exit, err := p.Stop(c.ctx, c.grace)
			if !errors.Is(err, c.want) || !exit.KilledByHarness || exit.Signal != "SIGKILL" {
				t.Errorf("the program %v, %v", exit, err)
			}
		})
	}
}

func TestKillAFrozenProgram(t *testing.T) {
	p := start(t, child(t, "echo"))
	firstLine(t, p)
	if err := p.Freeze(); err != nil {
		t.Fatal(err)
	}
	if exit := p.Kill(); !exit.KilledByHarness {
		t.Errorf("the program %v", exit)
	}
}

// Frozen means that no beat is answered until the thaw, and that the beat sent
// meanwhile is answered then.
func TestFreezeAndThaw(t *testing.T) {
	p := start(t, child(t, "echo"))
	url, err := p.Listening(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	answered := func(within time.Duration) (string, error) {
		conn.SetReadDeadline(time.Now().Add(within))
		return answers.ReadString('\n')
	}
	for round := range 3 {
		if err := p.Freeze(); err != nil {
			t.Fatal(err)
		}
		if standsStill, known := stopped(t, p.PID()); known && !standsStill {
			t.Fatal("Freeze returned while the program ran")
		}
		beat := fmt.Sprintf("beat %d\n", round)
		fmt.Fprint(conn, beat)
		if got, err := answered(20 * time.Millisecond); err == nil || got != "" {
			t.Fatalf("a frozen program answered %q", got)
		}
		if err := p.Thaw(); err != nil {
			t.Fatal(err)
		}
		if got, err := answered(patience); got != beat {
			t.Fatalf("after the thaw: %q, %v", got, err)
		}
	}
}

// Signals from many sides and the end of the process meet in any order.
func TestSignalsRaceWithTheEnd(t *testing.T) {
	p := start(t, child(t, "half"))
	for range 4 {
		defer goWait(func() {
			for {
				if err := p.Freeze(); err != nil {
					if !errors.Is(err, ErrExited) {
						t.Error(err)
					}
					return
				}
				if err := p.Thaw(); err != nil && !errors.Is(err, ErrExited) {
					t.Error(err)
				}
			}
		})()
	}
	done(t, p)
}

// goWait runs f beside the test and returns what waits for it.
func goWait(f func()) (wait func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f()
	}()
	return func() { <-ended }
}
