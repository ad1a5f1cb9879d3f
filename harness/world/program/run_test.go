package program

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name string
		spec Spec
		want Result
	}{
		{"says", child(t, "say", "SAY=seeded 2\n\xff\x1b[1m", "LOG=a\nb\n"),
			Result{Stdout: "seeded 2\n\ufffd" + `\x1b[1m` + "\n", Stderr: "a\nb\n"}},
		{"fails", child(t, "crash"), Result{Exit: Exit{Code: 3}, Stderr: "cannot reach Redis\n"}},
	} {
		got, err := Run(bounded(t), c.spec)
		if err != nil {
			t.Fatal(err)
		}
		got.Exit.Duration = 0
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
}

func TestRunIsBounded(t *testing.T) {
	spec := child(t, "stubborn")
	spec.Limits.MaxRun = 20 * time.Millisecond
	res, err := Run(t.Context(), spec)
	if !errors.Is(err, ErrStillRunning) || !errors.Is(err, context.DeadlineExceeded) || !res.Exit.KilledByHarness {
		t.Errorf("got %v, %v", res, err)
	}
}
