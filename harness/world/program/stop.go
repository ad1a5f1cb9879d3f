package program

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// Kill ends the whole group at once (SIGKILL), frozen or not, and returns how
// the process ended, which may have been earlier and by itself.
func (p *Process) Kill() Exit {
	_ = p.signalKill() // the only error is that it has ended, which is what we want
	<-p.done
	return p.exit
}

// Stop asks the process to end (SIGTERM, and SIGCONT should it be frozen) and
// waits. When grace has run out it kills the group and returns ErrStubborn,
// wrapped; when ctx ends first it kills the group and returns ctx's error,
// wrapped. The Exit is valid in every case. A process that had ended before is
// no error: its Exit tells.
func (p *Process) Stop(ctx context.Context, grace time.Duration) (Exit, error) {
	// First the request, then the thaw: a frozen process wakes with SIGTERM
	// already waiting and does not work on for a moment as if nothing were.
	for _, send := range []struct {
		sig syscall.Signal
		all bool
	}{{syscall.SIGTERM, false}, {syscall.SIGCONT, true}} {
		if err := p.signal(send.sig, send.all); err != nil && !errors.Is(err, ErrExited) {
			return p.Kill(), fmt.Errorf("stop %s: %w", p.name, err)
		}
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	var why error
	select {
	case <-p.ended: // the rest, reading its output, is not the program's time
		<-p.done
		return p.exit, nil
	case <-timer.C:
		why = fmt.Errorf("%s %w after %v", p.name, ErrStubborn, grace)
	case <-ctx.Done():
		why = fmt.Errorf("stop %s: %w", p.name, ctx.Err())
	}
	exit := p.Kill()
	if !exit.KilledByHarness {
		why = nil // it ended by itself just before
	}
	return exit, why
}
