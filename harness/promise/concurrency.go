package promise

import (
	"context"
	"fmt"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
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
			trap := worker.TrapStock(wire.BeforeServer)
			for i := range jobs {
				if _, err := server.Accept(ctx, fmt.Sprintf("batch-%d", i)); err != nil {
					return err
				}
			}
			var held []*wire.Caught
			for len(held) < allowed {
				limited, cancel := context.WithTimeout(ctx, 5*time.Second)
				caught, err := trap.Next(limited)
				cancel()
				if err != nil {
					break
				}
				held = append(held, caught)
			}
			counts, err := server.Counts(ctx)
			if err != nil {
				return err
			}
			saw.Soon(len(held) == allowed, "jobs in hand at once", fmt.Sprint(allowed), fmt.Sprint(len(held)))
			saw.True(counts["active"] <= allowed, "active jobs in the counts", fmt.Sprintf("at most %d", allowed), fmt.Sprint(counts))
			trap.Disarm()
			for _, caught := range held {
				caught.Release()
			}
			for i := range jobs {
				if _, err := w.UntilJob(ctx, server, shop.JobID(fmt.Sprintf("batch-%d", i)), "completed", "failed"); err != nil {
					return err
				}
			}
			saw.Note("%sthe worker had %d jobs in hand, and did all %d", saw.Where, len(held), jobs)
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
			worker, err := w.Work(ctx, fmt.Sprintf("worker-%d", i+1), settings)
			if err != nil {
				return err
			}
			caught, err := world.CatchFirst(ctx, worker.TrapStock(wire.BeforeServer))
			if err != nil {
				return saw.unproven(err)
			}
			worker.Kill()
			caught.Cut()
		}
		last, err := w.Work(ctx, "worker-last", settings)
		if err != nil {
			return err
		}
		job, err := w.UntilJob(ctx, server, shop.JobID("batch-a"), "completed", "failed")
		if err != nil {
			return err
		}
		saw.Note("%d workers were killed with the job in hand, before their command reached Redis: %s", attempts, job.Error)
		saw.Equal("state of the job", "failed", job.State)
		saw.Equal("stock commands of the worker that came after them", 0, len(last.StockCommands()))
		return saw.stock(ctx, w, 0)
	})
}

// lateRenewal wakes a worker that has lost its job while it still has something on the
// way. It may try to renew its lock, and must not get the job back by that.
func lateRenewal(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, first, err := w.Start(ctx, "worker-1", shortLock)
		if err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		frozen, err := first.FreezeAtStock(ctx)
		if err != nil {
			return saw.unproven(err)
		}
		defer frozen.Late.Cut()
		second, err := w.Work(ctx, "worker-2", shortLock)
		if err != nil {
			return err
		}
		held, err := world.CatchFirst(ctx, second.TrapStock(wire.BeforeServer))
		if err != nil {
			return saw.unproven(err)
		}
		before := len(first.Wire.Exchanges())
		if err := first.Thaw(); err != nil {
			held.Release()
			return fmt.Errorf("thaw worker-1: %w", err)
		}
		// A lock's time is time for worker-1 to renew more than once, as it did before.
		awake := time.Now()
		limited, cancel := context.WithTimeout(ctx, 2*lockShort)
		defer cancel()
		_ = second.Wire.Await(limited, func() bool { return time.Since(awake) > lockShort }) // it may have nothing to send
		renewals := len(first.Wire.Exchanges()) - before
		held.Release()
		job, err := w.UntilJob(ctx, server, shop.JobID("batch-a"), "completed", "failed")
		if err != nil {
			return err
		}
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		if err := w.Stop(ctx, second); err != nil {
			return err
		}
		saw.Note("worker-1 woke up, sent %d commands in %v, and had lost the job to worker-2", renewals, time.Since(awake).Round(time.Millisecond))
		_, lost := firstEvent(second, "lock_lost")
		saw.Soon(!lost, "log of worker-2, which had taken the job over and renewed its lock", "no event lock_lost", "lock_lost")
		return nil
	})
}
