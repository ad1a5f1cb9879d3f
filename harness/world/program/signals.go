package program

import (
	"fmt"
	"syscall"
	"time"
)

// freezeFor bounds how long Freeze waits to see the process stand still.
const freezeFor = 5 * time.Second

// Freeze stops the whole group where it is (SIGSTOP), and on Linux returns only
// when every thread of the process itself stands still. It returns ErrExited,
// wrapped, if the process had ended or ended meanwhile.
func (p *Process) Freeze() error {
	if err := p.signal(syscall.SIGSTOP, true); err != nil {
		return fmt.Errorf("freeze %s: %w", p.name, err)
	}
	stood := make(chan error, 1)
	if !p.help(func() { stood <- p.place.AwaitStopped() }) {
		return fmt.Errorf("freeze %s: %w", p.name, ErrExited)
	}
	timer := time.NewTimer(freezeFor)
	defer timer.Stop()
	select {
	case err := <-stood:
		if err != nil {
			return fmt.Errorf("freeze %s: %w", p.name, err)
		}
		return nil
	case <-timer.C:
		// The waiting goroutine ends with the process, and the owner waits for it.
		return fmt.Errorf("freeze %s: still running %v after SIGSTOP", p.name, freezeFor)
	}
}

// Thaw lets a frozen group go on (SIGCONT); a running one does not notice. It
// returns ErrExited, wrapped, if the process had ended.
func (p *Process) Thaw() error {
	if err := p.signal(syscall.SIGCONT, true); err != nil {
		return fmt.Errorf("thaw %s: %w", p.name, err)
	}
	return nil
}

// Interrupt asks the process itself to end (SIGINT) and does not wait. It returns
// ErrExited, wrapped, if the process had ended.
func (p *Process) Interrupt() error { return p.signal(syscall.SIGINT, false) }

func (p *Process) signalKill() error {
	p.mu.Lock()
	p.killed = true
	p.mu.Unlock()
	return p.signal(syscall.SIGKILL, true)
}

// signal sends sig to the program or to all that it started, unless it has been
// reaped: from then on its id may belong to a stranger.
func (p *Process) signal(sig syscall.Signal, all bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return ErrExited
	}
	return p.place.Signal(sig, all)
}

// help runs f in a goroutine that the owner waits for before it reaps the
// process, and reports whether it was early enough for that.
func (p *Process) help(f func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.ended:
		return false
	default:
	}
	p.helpers.Go(f)
	return true
}
