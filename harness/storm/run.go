package storm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/importer/harness/faultmap"
	"example.com/importer/harness/history"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

const (
	lock       = 400 * time.Millisecond
	stopWithin = 10 * time.Second
)

var settings = world.Settings{
	"IMPORTER_LOCK_DURATION": lock.String(), "IMPORTER_POLL_INTERVAL": "20ms", "IMPORTER_BACKOFF": "10ms",
	// Several faults may hit one job; none is to be lost for want of attempts.
	"IMPORTER_ATTEMPTS": "20",
}

// seen is what a storm left.
type seen struct {
	Fired []Strike
	State history.State
	Jobs  map[string]*history.Job // by id; nil for one without a record
}

// storm is one in progress.
type storm struct {
	*world.World
	*watcher
	plan     Plan
	patience time.Duration
	server   *world.Server
	workers  []*worker // those that are there
	all      []*worker // and those that were
	frozen   []*frozen
	told     []faultmap.Told
	seen     seen
}

type frozen struct {
	*worker
	hit
	since time.Time
}

func (s *storm) run(ctx context.Context) (err error) {
	if s.server, err = s.Serve(ctx, "server", settings); err != nil {
		return err
	}
	for range s.plan.Workers {
		if err := s.nextWorker(ctx); err != nil {
			return err
		}
	}
	done := make(chan error, 1)
	go func() {
		err := s.ask(ctx)
		if err == nil {
			err = s.untilEnded(ctx)
		}
		done <- err
	}()
	if err := s.weather(ctx, done); err != nil {
		return err
	}
	for len(s.frozen) > 0 {
		if err := s.wake(ctx, s.frozen[0]); err != nil {
			return err
		}
	}
	if err := s.stopAll(ctx); err != nil {
		return err
	}
	return s.look(ctx)
}

// nextWorker starts one more worker, watched from its first command on.
func (s *storm) nextWorker(ctx context.Context) (err error) {
	w := &worker{name: fmt.Sprintf("worker %d", len(s.all)+1)}
	s.workers, s.all = append(s.workers, w), append(s.all, w)
	w.program, err = s.WorkWatched(ctx, fmt.Sprintf("worker-%d", len(s.all)), settings, func(proxy *wire.Proxy) { s.watch(ctx, w, proxy) })
	s.tell(w.name, "starts", false)
	return err
}

// ask asks for one batch after the other.
func (s *storm) ask(ctx context.Context) error {
	for _, ask := range s.plan.Asks {
		if ask.Job == "" {
			if _, err := s.server.Accept(ctx, ask.Batch); err != nil {
				return err
			}
			continue
		}
		data := fmt.Sprintf(`{"contractVersion":1,"dataset":"shipment-a","batchId":%q}`, ask.Batch)
		stored, err := s.Run(ctx, "enqueue", "enqueue", "--job-id", ask.Job, "--data", data)
		if err != nil {
			return err
		}
		if stored.Exit.Code != 0 {
			return &world.ProgramError{What: "importer enqueue " + stored.Exit.String()}
		}
	}
	return nil
}

// untilEnded waits for the end of every job, or until nothing has ended for too long.
func (s *storm) untilEnded(ctx context.Context) error {
	for {
		counts, err := s.records(ctx)
		if err != nil {
			return err
		}
		before := counts["completed"] + counts["failed"]
		if before == len(s.plan.jobs()) {
			return nil
		}
		limited, cancel := context.WithTimeout(ctx, s.patience)
		err = s.Until(limited, "the end of one more job", func(ctx context.Context) (bool, error) {
			counts, err := s.server.Counts(ctx)
			return err == nil && counts["completed"]+counts["failed"] > before, err
		})
		late := limited.Err() != nil
		cancel()
		if late && ctx.Err() == nil {
			return nil // look says which have not ended
		}
		if err != nil {
			return err
		}
	}
}

func (s *storm) records(ctx context.Context) (counts map[string]int, err error) {
	err = s.Until(ctx, "the counts", func(ctx context.Context) (bool, error) {
		var err error
		counts, err = s.server.Counts(ctx)
		return err == nil, err
	})
	return counts, err
}

// weather lets the faults happen until done says that all jobs have ended. Who was frozen
// wakes up when the lock is gone, whatever has become of the job.
func (s *storm) weather(ctx context.Context, done <-chan error) error {
	for {
		var thaw <-chan time.Time
		if len(s.frozen) > 0 {
			thaw = time.After(time.Until(s.frozen[0].since.Add(2 * lock)))
		}
		select {
		case h := <-s.hits:
			if err := s.strike(ctx, h); err != nil {
				return err
			}
		case <-thaw:
			if err := s.wake(ctx, s.frozen[0]); err != nil {
				return err
			}
		case err := <-done:
			return err
		}
	}
}

// strike lets the fault happen to the command that is held for it.
func (s *storm) strike(ctx context.Context, h hit) error {
	s.seen.Fired = append(s.seen.Fired, h.strike)
	s.tell(h.worker.name, h.strike.String(), true)
	switch h.strike.Kind {
	case faultmap.KillBefore, faultmap.KillAfter:
		h.worker.program.Kill()
		h.caught.Cut()
		s.forget(h.worker)
		return s.nextWorker(ctx)
	case faultmap.Freeze, faultmap.FreezeCut:
		if err := h.worker.program.Freeze(); err != nil {
			h.caught.Release()
			return fmt.Errorf("freeze %s: %w", h.worker.name, err)
		}
		s.frozen = append(s.frozen, &frozen{h.worker, h, time.Now()})
	default:
		h.caught.Cut()
	}
	return nil
}

func (s *storm) forget(w *worker) {
	for i, other := range s.workers {
		if other == w {
			s.workers = append(s.workers[:i:i], s.workers[i+1:]...)
			return
		}
	}
}

func (s *storm) wake(ctx context.Context, f *frozen) error {
	s.frozen = s.frozen[1:]
	s.tell(f.name, "wakes up", false)
	return f.program.Rouse(ctx, f.caught, f.strike.Kind != faultmap.FreezeCut)
}

// stopAll asks every worker to stop and waits. Faults that come only now are let go: the
// storm is over.
func (s *storm) stopAll(ctx context.Context) error {
	stopped := make(chan error, 1)
	go func() {
		var errs []error
		for _, w := range s.workers {
			if _, err := w.program.Stop(ctx, stopWithin); err != nil && !errors.Is(err, program.ErrStubborn) {
				errs = append(errs, fmt.Errorf("stop %s: %w", w.name, err))
			}
		}
		stopped <- errors.Join(errs...)
	}()
	for {
		select {
		case h := <-s.hits:
			h.caught.Release()
		case err := <-stopped:
			return err
		}
	}
}

// look takes down what is left.
func (s *storm) look(ctx context.Context) (err error) {
	if s.seen.State, err = shop.ReadState(ctx, s.Redis); err != nil {
		return err
	}
	s.seen.Jobs = map[string]*history.Job{}
	for id := range s.plan.jobs() {
		err := s.Until(ctx, "a look at job "+id, func(ctx context.Context) (bool, error) {
			job, err := s.server.Job(ctx, id)
			s.seen.Jobs[id] = job
			return err == nil, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *storm) tell(who, text string, fault bool) {
	s.told = append(s.told, faultmap.Told{At: time.Now(), Line: results.StoryLine{Lane: who, Text: text, Fault: fault}})
}
