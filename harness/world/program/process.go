package program

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Process is one running program with everything it started in its group.
// All methods may be called from several goroutines.
type Process struct {
	name           string
	place          Place
	started        time.Time
	stdout, stderr *stream

	// ended closes when the leader has ended and not been reaped yet; done when
	// it has been, its group is gone and its output has been read.
	ended, done chan struct{}
	exit        Exit // set before done closes

	mu      sync.Mutex
	reaped  bool           // after this its process id may be another's
	killed  bool           // the harness has sent SIGKILL
	helpers sync.WaitGroup // goroutines that the owner waits for before it reaps
}

// Start starts a program in a process group of its own, or in the place that the spec
// names, with /dev/null as its stdin. When ctx ends, all of it is killed. On Linux the
// program also dies with the harness, however the harness ends.
//
// Whoever starts a process waits for its end: by Stop, by Kill or by Done.
func Start(ctx context.Context, spec Spec) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("start %s: %w", spec.Name, err)
	}
	limits := spec.Limits.withDefaults()
	place := spec.In
	if place == nil {
		if !filepath.IsAbs(spec.Path) {
			return nil, fmt.Errorf("start %s: path %q is not absolute", spec.Name, spec.Path)
		}
		place = newLocal(spec, limits)
	}
	p := &Process{
		name:   spec.Name,
		place:  place,
		stdout: newStream(limits),
		stderr: newStream(limits),
		ended:  make(chan struct{}),
		done:   make(chan struct{}),
	}
	p.stdout.each, p.stderr.each = spec.Each, spec.Each
	started := make(chan error)
	go p.own(ctx, spec, started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s (%s): %w", spec.Name, spec.Path, err)
	}
	return p, nil
}

// launch starts the program with a pipe for each output and returns their read
// ends. The pipes are ours, not os/exec's: its Wait would hang on a pipe that a
// grandchild keeps open, or cut off output that nobody had read yet.
func (p *Process) launch(spec Spec) (stdout, stderr *os.File, err error) {
	stdout, outW, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer outW.Close()
	stderr, errW, err := os.Pipe()
	if err != nil {
		stdout.Close()
		return nil, nil, err
	}
	defer errW.Close()
	p.started = time.Now()
	if err := p.place.Launch(spec, outW, errW); err != nil {
		stdout.Close()
		stderr.Close()
		return nil, nil, err
	}
	return stdout, stderr, nil
}

// Name is what reports call the process.
func (p *Process) Name() string { return p.name }

// PID is the process id, which is also the id of its group; 0 for a program that is in
// a place of its own, see Spec.In.
func (p *Process) PID() int {
	if here, ok := p.place.(*local); ok {
		return here.pid()
	}
	return 0
}

// Done closes when the process has ended, the rest of its group is gone and its
// output has been read to the end.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the process ended; false while it has not.
func (p *Process) Exit() (Exit, bool) {
	select {
	case <-p.done:
		return p.exit, true
	default:
		return Exit{}, false
	}
}
