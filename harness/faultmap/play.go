package faultmap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

const (
	// lock is how long a job stays with a worker that is heard of no more.
	lock       = 400 * time.Millisecond
	stopWithin = 10 * time.Second
)

var settings = world.Settings{
	"IMPORTER_LOCK_DURATION": lock.String(), "IMPORTER_POLL_INTERVAL": "20ms", "IMPORTER_BACKOFF": "10ms",
}

// fired is a fault that has happened.
type fired struct {
	point
	actor    *actor
	exchange wire.Exchange
	at       time.Time
}

// frozen is a program that stands still with a command on its way.
type frozen struct {
	*actor
	late  *wire.Caught
	lost  bool // it will not arrive
	awake bool
}

// play is one job with its faults.
type play struct {
	*world.World
	*director
	patience time.Duration // for the end of the job
	server   *world.Server
	workers  []*actor
	frozen   []*frozen
	fired    []fired
	marks    []mark // moments of the story that no command shows
	posted   history.Answer
	answered time.Time // when the client had its 202
	ended    time.Time // when the job was seen to have ended; zero if it did not
	end      history.Step
}

// mark is something that happened and was not a command.
type mark struct {
	at   time.Time
	lane string
	text string
}

// runPlay lets one job happen under these faults, and looks when all is quiet. The
// error is the harness's own trouble, or the program's fault as world.Blames says.
func runPlay(ctx context.Context, lab *world.Lab, patience time.Duration, points []point) (p *play, err error) {
	err = lab.In(ctx, func(w *world.World) error {
		p = &play{World: w, patience: patience, director: newDirector(matrix.BatchA, points)}
		watching, stop := context.WithCancel(ctx)
		defer p.done.Wait()
		defer stop()
		return p.run(watching)
	})
	return p, err
}

func (p *play) run(ctx context.Context) (err error) {
	if p.server, err = p.Serve(ctx, "server", settings); err != nil {
		return err
	}
	if err := p.post(ctx); err != nil {
		return err
	}
	if p.Stage.Works {
		if err := p.nextWorker(ctx); err != nil {
			return err
		}
		if err := p.untilQuiet(ctx); err != nil {
			return err
		}
	}
	p.end, err = p.Look(ctx, p.server, "all is quiet", shop.JobID(p.batch), p.posted)
	return err
}

// post lets the client ask, and ask again with the same id for as long as it is told
// that it should.
func (p *play) post(ctx context.Context) error {
	if p.left() > 0 && p.points[0].Side == Producer {
		p.watch(ctx, &actor{name: "server", wire: p.server.Wire, program: p.server.Program})
	}
	answered := make(chan error, 1)
	p.note("client", "POST "+p.batch)
	go func() {
		var err error
		p.posted, err = p.server.Accept(ctx, p.batch)
		answered <- err
	}()
	for {
		select {
		case h := <-p.hits:
			if err := p.strike(ctx, h); err != nil {
				return err
			}
		case err := <-answered:
			p.answered = time.Now()
			p.note("client", fmt.Sprintf("is told %d %s", p.posted.Status, p.posted.JobID))
			return err
		}
	}
}

// nextWorker starts one more worker, watched from its first command on.
func (p *play) nextWorker(ctx context.Context) (err error) {
	a := &actor{name: fmt.Sprintf("worker %d", len(p.workers)+1)}
	p.workers = append(p.workers, a)
	a.program, err = p.WorkWatched(ctx, fmt.Sprintf("worker-%d", len(p.workers)), settings, func(proxy *wire.Proxy) {
		a.wire = proxy
		p.watch(ctx, a)
	})
	p.note(a.name, "starts")
	return err
}

// strike lets the fault happen to the command that is held for it.
func (p *play) strike(ctx context.Context, h hit) error {
	// Before the program can go on: what it does next is what the next fault is for.
	f := fired{point: p.advance(), actor: h.actor, at: time.Now()}
	defer func() {
		f.exchange = h.caught.Exchange()
		p.fired = append(p.fired, f)
	}()
	switch f.Kind {
	case KillBefore, KillAfter:
		h.actor.program.Kill()
		h.caught.Cut()
	case Freeze, FreezeCut:
		if err := h.actor.program.Freeze(); err != nil {
			h.caught.Release()
			return fmt.Errorf("freeze %s: %w", h.actor.name, err)
		}
		p.frozen = append(p.frozen, &frozen{actor: h.actor, late: h.caught, lost: f.Kind == FreezeCut})
	default:
		h.caught.Cut()
		return nil
	}
	return p.nextWorker(ctx)
}

// untilQuiet waits for the end of the job, wakes who was frozen meanwhile, and stops
// all workers: then nothing happens any more.
func (p *play) untilQuiet(ctx context.Context) error {
	for {
		if err := p.untilEnded(ctx); err != nil {
			return err
		}
		if p.left() == 0 || p.ended.IsZero() {
			break
		}
		// The job is done, and its last reply may still be on its way: a worker that is
		// asked to stop takes it first.
		struck, err := p.stopWorkers(ctx)
		if err != nil {
			return err
		}
		if !struck {
			break
		}
	}
	for _, f := range p.frozen {
		if err := p.wake(ctx, f); err != nil {
			return err
		}
	}
	_, err := p.stopWorkers(ctx)
	return err
}

func (p *play) wake(ctx context.Context, f *frozen) error {
	f.awake = true
	p.note(f.name, "wakes up")
	return f.program.Rouse(ctx, f.late, !f.lost)
}

// untilEnded waits until the job has ended or has taken too long, and lets the faults
// happen that come first.
func (p *play) untilEnded(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := p.UntilEnded(limited, p.server, p.batch)
		ended <- err
	}()
	for {
		select {
		case h := <-p.hits:
			if err := p.strike(ctx, h); err != nil {
				return err
			}
		case err := <-ended:
			if err == nil {
				p.ended = time.Now()
				return nil
			}
			if ctx.Err() == nil && (limited.Err() != nil || world.Late(err)) {
				return nil // it is stuck, which is an outcome
			}
			return err
		}
	}
}

// stopWorkers asks all workers to stop and waits; struck says that a fault happened
// meanwhile, so that it is not over.
func (p *play) stopWorkers(ctx context.Context) (struck bool, err error) {
	stopped := make(chan error, 1)
	workers := p.workers
	go func() {
		var errs []error
		for _, a := range workers {
			if p.isFrozen(a) {
				continue
			}
			_, err := a.program.Stop(ctx, stopWithin)
			if err != nil && !errors.Is(err, program.ErrStubborn) {
				errs = append(errs, fmt.Errorf("stop %s: %w", a.name, err))
			}
		}
		stopped <- errors.Join(errs...)
	}()
	for {
		select {
		case h := <-p.hits:
			struck = true
			if err := p.strike(ctx, h); err != nil {
				return struck, err
			}
		case err := <-stopped:
			return struck, err
		}
	}
}

func (p *play) isFrozen(a *actor) bool {
	return slices.ContainsFunc(p.frozen, func(f *frozen) bool { return f.actor == a && !f.awake })
}

func (p *play) note(lane, text string) {
	p.marks = append(p.marks, mark{time.Now(), lane, text})
}

// producer are the commands of the server until its client was answered.
func (p *play) producer(scripts map[string]string) []Step {
	var list []wire.Exchange
	for _, x := range p.server.Wire.Exchanges() {
		if x.Read.Before(p.answered) {
			list = append(list, x)
		}
	}
	return newTrail(p.batch, Producer).stepsOf(scripts, list)
}

// recovery are the job's commands after the last fault, or all of them if there was
// none: those that a further fault can be put at.
func (p *play) recovery(scripts map[string]string) []Step {
	var list []wire.Exchange
	for _, x := range exchanges(p.workers) {
		if len(p.fired) > 0 && !x.Read.After(p.fired[len(p.fired)-1].at) {
			continue
		}
		if !p.ended.IsZero() && x.Read.After(p.ended) {
			continue
		}
		list = append(list, x)
	}
	return newTrail(p.batch, Worker).stepsOf(scripts, list)
}
