package program

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func event(name string) func(Line) bool {
	return func(l Line) bool { return l.Event == name }
}

func TestAwaitLog(t *testing.T) {
	ctx := bounded(t)
	p := start(t, child(t, "logger"))
	firstLine(t, p)

	taken, err := p.AwaitLog(ctx, event("job_taken"))
	if err != nil {
		t.Fatal(err)
	}
	want := Line{
		Text:  `{"event":"job_taken","jobId":"shipment-1","attempt":1}`,
		Event: "job_taken", JobID: "shipment-1",
		Fields: map[string]any{"event": "job_taken", "jobId": "shipment-1", "attempt": 1.0},
	}
	if diff := cmp.Diff(want, taken, cmpopts.IgnoreFields(Line{}, "At")); diff != "" {
		t.Error(diff)
	}
	if taken.At.IsZero() || time.Since(taken.At) > patience {
		t.Errorf("the line came at %v", taken.At)
	}

	// One that is not there yet.
	if err := syscall.Kill(p.PID(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	if _, err := p.AwaitLog(ctx, event("job_completed")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"plain", `{"event":"job_completed","jobId":"shipment-1"}`}, p.Tail(2)); diff != "" {
		t.Error(diff)
	}
	if got := len(p.Logs()); got != 3 {
		t.Errorf("%d log lines, want 3", got)
	}

	// One that never comes: first by time, then by the end of the program.
	short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if _, err := p.AwaitLog(short, event("job_failed")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	p.Kill()
	_, err = p.AwaitLog(ctx, event("job_failed"))
	var exited *ExitError
	if !errors.As(err, &exited) || !exited.Exit.KilledByHarness || len(exited.Tail) != 3 {
		t.Errorf("got %v", err)
	}
}

// A program that prints without end is neither blocked nor kept whole.
func TestFlood(t *testing.T) {
	spec := child(t, "flood")
	spec.Limits = Limits{MaxOutput: 64 << 10, MaxLine: 1000}
	p := start(t, spec)
	exit := done(t, p)
	if exit.Code != 0 {
		t.Fatalf("the program %v", exit)
	}
	logs := p.Logs()
	if first := logs[0].Text[:11]; first != "line 000000" {
		t.Errorf("the first line is %q", first)
	}
	if diff := cmp.Diff("the last line", p.Tail(1)[0]); diff != "" {
		t.Error(diff)
	}
	size := 0
	for _, l := range logs {
		size += len(l.Text)
	}
	_, dropped := p.Dropped()
	if size > 64<<10 || dropped.Lines+len(logs) != 200_002 {
		t.Errorf("kept %d bytes in %d lines and dropped %+v", size, len(logs), dropped)
	}
	t.Logf("kept %d bytes in %d lines, dropped %+v, in %v", size, len(logs), dropped, exit.Duration)
}
