package program

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Result is what a short command left behind.
type Result struct {
	Exit Exit
	// Stdout and Stderr are sanitised, each line ended by "\n". Where lines were
	// dropped, a line in brackets says how many.
	Stdout, Stderr string
}

// ErrStillRunning means that a short command had not ended in time and was killed.
var ErrStillRunning = errors.New("was still running and had to be killed")

// Run starts a command that is meant to end soon, such as seed or enqueue, and
// waits for it. An exit status that is not 0 is no error: what it means is for
// the caller to say.
//
// When Spec.Limits.MaxRun or ctx runs out, the command is killed and the error
// wraps ErrStillRunning and the context's error. The Result holds even then.
func Run(ctx context.Context, spec Spec) (Result, error) {
	bound := spec.Limits.withDefaults().MaxRun
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	p, err := Start(ctx, spec)
	if err != nil {
		return Result{}, err
	}
	<-p.Done() // ctx ends it if nothing else does
	res := Result{Exit: p.exit, Stdout: p.stdout.text(), Stderr: p.stderr.text()}
	if p.exit.KilledByHarness {
		return res, fmt.Errorf("%s %w: %w", spec.Name, ErrStillRunning, ctx.Err())
	}
	return res, nil
}

func (s *stream) text() string {
	lines, first, dropped := s.lines()
	var b strings.Builder
	for i, l := range lines {
		if i == first && dropped.Lines > 0 {
			fmt.Fprintf(&b, "[%d lines, %d bytes, not kept]\n", dropped.Lines, dropped.Bytes)
		}
		b.WriteString(l.Text)
		b.WriteByte('\n')
	}
	return b.String()
}
