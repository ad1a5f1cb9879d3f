package promise

import (
	"context"
	"fmt"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// concurrency holds what a worker sends for its jobs, and counts how many it has in
// hand: as many as it was told to, and no more.
func concurrency(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const jobs = 3
	for allowed := 1; allowed < jobs; allowed++ {
		saw.Where = fmt.Sprintf("with a concurrency of %d: ", allowed)
		err := lab.In(ctx, func(w *world.World) error {
			server, worker, err := w.Start(ctx, "worker", world.Settings{"IMPORTER_CONCURRENCY": fmt.Sprint(allowed)})
			if err != nil {
				return err
			}
			trap := worker.TrapStock(wire.BeforeServer) // nobody takes out what it holds: no job goes on
			for i := range jobs {
				if _, err := server.Accept(ctx, fmt.Sprintf("batch-%d", i)); err != nil {
					return err
				}
			}
			// A worker that takes too many does so at once, and one that takes too few goes
			// on to do so.
			most, begun := 0, time.Now()
			if err := w.Until(ctx, "a look at the counts", func(ctx context.Context) (bool, error) {
				counts, err := server.Counts(ctx)
				most = max(most, counts["active"])
				looked := time.Since(begun)
				return looked > 2*time.Second || (looked > 200*time.Millisecond && most >= allowed), err
			}); err != nil {
				return err
			}
			saw.True(most <= allowed, "active jobs in the counts", fmt.Sprintf("at most %d", allowed), fmt.Sprint(most))
			saw.Soon(most >= allowed, "active jobs in the counts", fmt.Sprint(allowed), fmt.Sprint(most))
			trap.Disarm()
			for i := range jobs {
				if _, err := w.UntilEnded(ctx, server, fmt.Sprintf("batch-%d", i)); err != nil {
					return err
				}
			}
			saw.Note("%sthe worker had %d jobs in hand, and did all %d", saw.Where, most, jobs)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// killedAgain kills every worker that takes the job. An attempt that kills its worker
// is an attempt, so there must be an end of it.
func killedAgain(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const attempts = 2
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_LOCK_DURATION": "200ms", "IMPORTER_ATTEMPTS": fmt.Sprint(attempts)}
		server, err := w.Serve(ctx, "server", settings)
		if err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		for i := range attempts {
			worker, trap, err := w.WorkTrapped(ctx, fmt.Sprintf("worker-%d", i+1), settings, wire.BeforeServer)
			if err != nil {
				return err
			}
			caught, err := world.CatchFirst(ctx, trap)
			if err != nil {
				return err
			}
			worker.Kill()
			caught.Cut()
		}
		last, err := w.Work(ctx, "worker-last", settings)
		if err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		saw.Note("%d workers were killed with the job in hand, before their command reached Redis: %s", attempts, job.Error)
		saw.Equal("state of the job", "failed", job.State)
		saw.Equal("stock commands of the worker that came after them", 0, len(last.StockCommands()))
		return saw.stock(ctx, w, 0)
	})
}

// lateRenewal wakes a worker that has lost its job while its command is still on the
// way, and kills the one that has the job. The first one may try to renew its lock: it
// must not keep the job from a third one by that.
func lateRenewal(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, frozen, err := frozenInHand(ctx, w, shortLock)
		if err != nil {
			return err
		}
		defer frozen.Late.Cut()
		second, trap, err := w.WorkTrapped(ctx, "worker-2", shortLock, wire.BeforeServer)
		if err != nil {
			return err
		}
		held, err := world.CatchFirst(ctx, trap)
		if err != nil {
			return err
		}
		defer held.Cut()
		if err := frozen.Program.Thaw(); err != nil {
			return fmt.Errorf("thaw worker-1: %w", err)
		}
		second.Kill()
		killed := time.Now()
		third, err := w.Work(ctx, "worker-3", shortLock)
		if err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		saw.Note("worker-1 was awake again when worker-2 was killed; the job was done %v later, with a lock of %v",
			time.Since(killed).Round(time.Millisecond), lockShort)
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		// On a slow machine worker-1 may have given up first, and then it has found out.
		_, taken := firstEvent(third, "job_taken_over")
		_, known := firstEvent(frozen.Program, "lock_lost")
		saw.True(taken || known, "log of worker-3, when the worker that had the job was dead", "an event job_taken_over", "none")
		return nil
	})
}
