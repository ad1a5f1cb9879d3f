package promise

import (
	"context"
	"fmt"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// overallDeadline: however many attempts are left, none begins when the time is over,
// be the worker there all along or not.
func overallDeadline(ctx context.Context, lab *world.Lab, saw *Saw) error {
	if err := attemptsLeft(ctx, lab, saw); err != nil {
		return err
	}
	return nobodyThere(ctx, lab, saw)
}

// attemptsLeft gives a job more attempts than its deadline has room for.
func attemptsLeft(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_ATTEMPTS": "100", "IMPORTER_BACKOFF": "20ms", "IMPORTER_DEADLINE": "400ms"}
		server, worker, err := w.Start(ctx, "worker", settings)
		if err != nil {
			return err
		}
		// A first job tells that the worker is at work: its start is not to count.
		if _, err := server.Accept(ctx, "batch-warm"); err != nil {
			return err
		}
		if _, err := w.UntilEnded(ctx, server, "batch-warm"); err != nil {
			return err
		}
		cuts := cutAll(ctx, worker.TrapStock(wire.BeforeServer))
		posted := time.Now()
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
		fired := cuts.stop()
		if err != nil {
			return err
		}
		if len(fired) == 0 {
			saw.Missing = "fault did not fire: the worker sent no stock command"
			return nil
		}
		last := fired[len(fired)-1].Read.Sub(posted)
		saw.Equal("state of the job", "failed", job.State)
		saw.Soon(job.Attempts > 1, "attempts", "more than one, as there is time for it", fmt.Sprint(job.Attempts))
		saw.True(job.Attempts < 100, "attempts", "as many as fit into the deadline", fmt.Sprint(job.Attempts))
		// The last attempt may begin just before the deadline and be on its way a
		// little longer; a second of that is a slow machine and no policy.
		saw.Soon(last < 1400*time.Millisecond, "begin of the last attempt", "within the deadline of 400ms", last.String())
		saw.Note("%d attempts, the last %dms after the request, with a deadline of 400ms", job.Attempts, last.Milliseconds())
		return saw.stock(ctx, w, 1)
	})
}

// nobodyThere kills the worker while its job rests between two attempts, and starts
// another one when the deadline is over.
func nobodyThere(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const deadline = 500 * time.Millisecond
	settings := world.Settings{"IMPORTER_ATTEMPTS": "100", "IMPORTER_BACKOFF": "300ms", "IMPORTER_DEADLINE": deadline.String()}
	rested := false
	for tries := 0; !rested; tries++ {
		if tries == pausesTried {
			saw.Missing = fmt.Sprintf("%v: in %d tries the job was never at rest when the worker was killed", world.ErrNotFired, tries)
			return nil
		}
		err := lab.In(ctx, func(w *world.World) error {
			server, worker, err := w.Start(ctx, "worker-1", settings)
			if err != nil {
				return err
			}
			trap := worker.TrapStock(wire.BeforeServer)
			if _, err := server.Accept(ctx, "batch-a"); err != nil {
				return err
			}
			accepted := time.Now()
			caught, err := world.CatchFirst(ctx, trap)
			if err != nil {
				return err
			}
			caught.Cut()
			if _, err := w.UntilJob(ctx, server, shop.JobID("batch-a"), "delayed", "completed", "failed"); err != nil {
				return err
			}
			worker.Kill()
			job, err := server.Job(ctx, shop.JobID("batch-a"))
			if err != nil || job == nil || job.State != "delayed" {
				return err // a pause may be as short as nothing: the next one is another
			}
			rested = true
			err = w.Until(ctx, "the end of the deadline", func(context.Context) (bool, error) {
				return time.Since(accepted) > deadline, nil
			})
			if err != nil {
				return err
			}
			second, err := w.Work(ctx, "worker-2", settings)
			if err != nil {
				return err
			}
			ended, err := w.UntilEnded(ctx, server, "batch-a")
			if err != nil {
				return err
			}
			saw.Note("worker-1 was killed while the job rested; worker-2 came %v after the request, with a deadline of %v: %s",
				time.Since(accepted).Round(time.Millisecond), deadline, ended.Error)
			saw.Equal("state of a job whose time was over when a worker came", "failed", ended.State)
			saw.Equal("stock commands of the worker that came too late", 0, len(second.StockCommands()))
			return saw.stock(ctx, w, 0)
		})
		if err != nil || saw.Missing != "" {
			return err
		}
	}
	return nil
}

// pausesTried bounds the search for a pause that is long enough to be seen.
const pausesTried = 10
