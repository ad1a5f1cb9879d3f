package world

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/importer/harness/history"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
)

const (
	// patience is how long a program may take for anything that is awaited of it.
	patience = 20 * time.Second
	// mourning is how long something is still awaited when a program has crashed: another
	// one may do it.
	mourning = 3 * time.Second
	// lookSoon and lookLate are the times between two looks at what cannot announce
	// itself, first and at the longest. They order nothing: what is awaited is a
	// state, however long it takes.
	lookSoon = 2 * time.Millisecond
	lookLate = 20 * time.Millisecond
)

// ProgramError is the program's fault and not the harness's: it did not listen,
// crashed, answered wrongly or did not get done in time.
type ProgramError struct {
	What string // what happened, in words
	Err  error  // more of it; may be nil
	Late bool   // it was not done in time, which may be the machine's fault
}

func (e *ProgramError) Error() string {
	if e.Err == nil {
		return e.What
	}
	return e.What + ": " + e.Err.Error()
}

func (e *ProgramError) Unwrap() error { return e.Err }

// Accept asks for the import of a batch and expects 202 with the job id that the
// contract gives it. Anything else is the end of a story that needs the job.
func (s *Server) Accept(ctx context.Context, batch string) (history.Answer, error) {
	answer := s.Post(ctx, batch)
	for begun := time.Now(); answer.Status == 503 && time.Since(begun) < patience; {
		answer = s.Post(ctx, batch) // not now: ask again, with the same id
	}
	if answer.Status == 202 && answer.JobID == shop.JobID(batch) {
		return answer, nil
	}
	return answer, &ProgramError{What: fmt.Sprintf("POST of %s: 202 with job id shipment-%s is expected; the answer was %d with job id %q %s%s",
		batch, batch, answer.Status, program.Sanitise(answer.JobID), program.Sanitise(answer.Code), answer.Lost), Late: answer.Status == 503}
}

// Blames says whether an error is the program's fault.
func Blames(err error) bool {
	var fault *ProgramError
	var exit *program.ExitError
	var answer *shop.AnswerError
	return errors.As(err, &fault) || errors.As(err, &exit) || errors.As(err, &answer)
}

// Late says whether the program's fault is that something took too long, for which
// 503 from a server with a Redis is another word.
func Late(err error) bool {
	var fault *ProgramError
	return (errors.As(err, &fault) && fault.Late) || shop.Unavailable(err)
}

// Until looks until done says true, and takes a 503 for "not now". What is the
// thing awaited, for the message.
func (w *World) Until(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	defer w.waits()()
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var died time.Time // when a program was first seen to have ended by itself
	for rest := lookSoon; ; rest = min(2*rest, lookLate) {
		ok, err := done(limited)
		if ended := w.ended(); !ok && ended != nil {
			if died.IsZero() {
				died = time.Now()
			}
			if time.Since(died) > mourning {
				return &ProgramError{What: what + " did not happen", Err: ended}
			}
		}
		if ok || (err != nil && limited.Err() == nil && !shop.Unavailable(err)) {
			return err
		}
		select {
		case <-time.After(rest):
		case <-limited.Done():
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("wait for %s: %w", what, err)
			}
			return &ProgramError{What: fmt.Sprintf("%s did not happen within %v", what, patience), Err: w.ended(), Late: true}
		}
	}
}

// waits begins a wait; the returned function ends it and tells who asks.
func (c Config) waits() (over func()) {
	begun := time.Now()
	return func() {
		if c.Waited != nil {
			c.Waited(time.Since(begun))
		}
	}
}

// ended tells which programs are not there any more, the likely reason why
// something does not happen.
func (w *World) ended() error {
	for _, p := range w.running() {
		if exit, over := p.Exit(); over && !exit.KilledByHarness && exit.Code != 0 {
			return &endedError{p.Name(), exit}
		}
	}
	return nil
}

// endedError is a program that is not there any more.
type endedError struct {
	name string
	exit program.Exit
}

func (e *endedError) Error() string { return e.name + " " + e.exit.String() }

// Crashed says whether the program's fault is that it ended while something was
// awaited of it.
func Crashed(err error) bool {
	var exit *program.ExitError
	var ended *endedError
	return errors.As(err, &exit) || errors.As(err, &ended)
}

// UntilJob looks until the job is in one of the states; "gone" means that its
// record has been removed.
func (w *World) UntilJob(ctx context.Context, server *Server, id string, states ...string) (*history.Job, error) {
	var job *history.Job
	err := w.Until(ctx, fmt.Sprintf("job %s in state %v", id, states), func(ctx context.Context) (bool, error) {
		found, err := server.Job(ctx, id)
		if err != nil {
			return false, err
		}
		job = found
		for _, state := range states {
			if (found == nil && state == "gone") || (found != nil && found.State == state) {
				return true, nil
			}
		}
		return false, nil
	})
	return job, err
}

// UntilEnded looks until the job of the batch is completed or failed.
func (w *World) UntilEnded(ctx context.Context, server *Server, batch string) (*history.Job, error) {
	return w.UntilJob(ctx, server, shop.JobID(batch), "completed", "failed")
}

// Look records everything that can be seen at one step of the story. Programs
// must be quiet: a step is a place where the story stands still.
func (w *World) Look(ctx context.Context, server *Server, step, jobID string, answers ...history.Answer) (history.Step, error) {
	seen := history.Step{Name: step, Answers: answers}
	err := w.Until(ctx, "a look at "+step, func(ctx context.Context) (bool, error) {
		var err error
		if seen.State, err = shop.ReadState(ctx, w.Redis); err != nil {
			return false, err
		}
		if seen.Job, err = server.Job(ctx, jobID); err != nil {
			return false, err
		}
		if seen.Counts, err = server.Counts(ctx); err != nil {
			return false, err
		}
		seen.Shop, err = server.Products(ctx)
		return err == nil, err
	})
	return seen, err
}
