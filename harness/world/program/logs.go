package program

import (
	"context"
	"fmt"
)

// tailLines is how many log lines an ExitError shows.
const tailLines = 10

// Logs returns the lines of stderr that were kept, in order: the first ones and
// the last ones, see Limits. Their Fields are shared; do not change them.
func (p *Process) Logs() []Line {
	all, _, _ := p.stderr.lines()
	return all
}

// Stdout returns the lines of stdout that were kept, as Logs does for stderr.
func (p *Process) Stdout() []Line {
	all, _, _ := p.stdout.lines()
	return all
}

// Dropped says how much of stdout and of stderr was not kept.
func (p *Process) Dropped() (stdout, stderr Dropped) {
	_, _, stdout = p.stdout.lines()
	_, _, stderr = p.stderr.lines()
	return stdout, stderr
}

// Tail returns the text of the last n lines of stderr, oldest first.
func (p *Process) Tail(n int) []string {
	all := p.Logs()
	all = all[max(0, len(all)-n):]
	texts := make([]string, len(all))
	for i, l := range all {
		texts[i] = l.Text
	}
	return texts
}

// AwaitLog returns the first line of stderr that match accepts: one that is
// there already, or the next one that comes. No line that comes during the wait
// is missed, however many there are.
//
// match runs while the log is locked: it decides by the line alone and calls no
// method of the process.
//
// It returns an *ExitError, wrapped, if the program ends first, and ctx's error,
// wrapped, if ctx ends first.
func (p *Process) AwaitLog(ctx context.Context, match func(Line) bool) (Line, error) {
	l, err := p.await(ctx, p.stderr, match, "the awaited log line")
	if err != nil {
		return Line{}, fmt.Errorf("await a log line of %s: %w", p.name, err)
	}
	return l, nil
}

// await waits for a line on s. A line that is there counts, even if the process
// has ended or ctx has.
func (p *Process) await(ctx context.Context, s *stream, match func(Line) bool, what string) (Line, error) {
	w := s.watch(match)
	defer s.unwatch(w)
	var err error
	select {
	case l := <-w.found:
		return l, nil
	case <-p.done:
		err = &ExitError{Name: p.name, Awaited: what, Exit: p.exit, Tail: p.Tail(tailLines)}
		if p.exit.KilledByHarness && ctx.Err() != nil {
			err = ctx.Err() // our own impatience is not the program's crash
		}
	case <-ctx.Done():
		err = ctx.Err()
	}
	select { // of several that are ready, select takes any
	case l := <-w.found:
		return l, nil
	default:
		return Line{}, err
	}
}
