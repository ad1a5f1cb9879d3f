package program

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"
	"time"
)

// drainFor bounds how long output is read after the whole group is gone. What
// is left in the pipe by then takes microseconds; only a process that left the
// group can hold the pipe open longer.
const drainFor = 2 * time.Second

// own is the one goroutine that launches the process and sees it to its end.
//
// It keeps its OS thread all that time: on Linux the "die with your parent"
// signal fires when the thread that forked ends, not the process, and the
// runtime may end an idle thread whenever it likes.
func (p *Process) own(ctx context.Context, spec Spec, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	stdout, stderr, err := p.launch(spec)
	if err != nil {
		started <- err
		return
	}
	defer stdout.Close()
	defer stderr.Close()

	var reading sync.WaitGroup
	var outErr, errErr error
	reading.Go(func() { outErr = p.stdout.readFrom(stdout) })
	reading.Go(func() { errErr = p.stderr.readFrom(stderr) })
	p.helpers.Go(func() {
		select {
		case <-ctx.Done():
			_ = p.signalKill() // it may have ended by itself just now
		case <-p.ended:
		}
	})
	started <- nil

	p.place.AwaitEnd()
	p.mu.Lock()
	close(p.ended) // no helper starts after this, see help
	p.mu.Unlock()
	p.helpers.Wait()
	p.exit = p.reap()

	until := time.Now().Add(drainFor)
	stdout.SetReadDeadline(until)
	stderr.SetReadDeadline(until)
	reading.Wait()
	p.exit.Escaped = errors.Is(outErr, os.ErrDeadlineExceeded) ||
		errors.Is(errErr, os.ErrDeadlineExceeded)
	close(p.done)
}

// reap ends the rest and takes the program's status. From then on no signal is sent.
func (p *Process) reap() Exit {
	exit := p.place.Reap()
	exit.Duration = time.Since(p.started)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reaped = true
	exit.KilledByHarness = p.killed && exit.Signal == "SIGKILL" && !exit.OutOfMemory
	return exit
}
