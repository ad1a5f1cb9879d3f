package promise

import (
	"context"
	"fmt"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// shortLock lets a lock run out while the check looks on.
var shortLock = world.Settings{"IMPORTER_LOCK_DURATION": "300ms"}

// killedBeforeApply kills the worker while its first stock command is on the way
// and never lets that arrive; another worker does the job.
func killedBeforeApply(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return killed(ctx, lab, saw, wire.BeforeServer)
}

// killedAfterApply kills the worker when its last stock command has been executed
// and before it can say that the job is done. Which command is the last one shows
// in the stock.
func killedAfterApply(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return killed(ctx, lab, saw, wire.AfterServer)
}

func killed(ctx context.Context, lab *world.Lab, saw *Saw, at wire.Moment) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", shortLock)
		if err != nil {
			return err
		}
		first, err := w.Work(ctx, "worker-1", shortLock)
		if err != nil {
			return err
		}
		trap := first.TrapStock(at)
		saw.Equal("answer", 202, server.Post(ctx, "batch-a").Status)
		caught, err := world.CatchWhen(ctx, trap, func() (bool, error) {
			if at == wire.BeforeServer {
				return true, nil
			}
			return w.Applied(ctx, 1)
		})
		if err != nil {
			return saw.unproven(err)
		}
		exit := first.Kill()
		caught.Cut()
		killedAt := time.Now()
		saw.Note("worker-1 %s at %s, %v", exit, caught.Exchange().Name(), at)

		second, err := w.Work(ctx, "worker-2", shortLock)
		if err != nil {
			return err
		}
		job, err := w.UntilJob(ctx, server, "shipment-batch-a", "completed", "failed")
		if err != nil {
			return err
		}
		saw.Note("worker-2 had the job done %dms after that, with a lock of 300ms", time.Since(killedAt).Milliseconds())
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		saw.Equal("attempts", 2, job.Attempts)
		_, ok := firstEvent(second, "job_taken_over")
		saw.True(ok, "log of worker-2", "an event job_taken_over", "none")
		if job.Result != nil {
			saw.Equal("result", fmt.Sprintf("%d rows of batch-a", len(w.Data.Shipment)), fmt.Sprintf("%d rows of %s", job.Result.Imported, job.Result.BatchID))
		}
		return saw.stock(ctx, w, 1)
	})
}

// renewed holds the worker's stock command for many times the length of its lock.
// The worker lives and renews, so nobody may take its job.
func renewed(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", shortLock)
		if err != nil {
			return err
		}
		first, err := w.Work(ctx, "worker-1", shortLock)
		if err != nil {
			return err
		}
		trap := first.TrapStock(wire.BeforeServer)
		saw.Equal("answer", 202, server.Post(ctx, "batch-a").Status)
		caught, err := world.CatchFirst(ctx, trap)
		if err != nil {
			return saw.unproven(err)
		}
		second, err := w.Work(ctx, "worker-2", shortLock)
		if err != nil {
			return err
		}
		// Time is what this check is about: three locks must have run out on a
		// worker that does not renew, while worker 2 goes on asking for work.
		since := time.Now()
		limited, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if err := second.Wire.Await(limited, func() bool { return time.Since(since) > 900*time.Millisecond }); err != nil {
			saw.Missing = "worker-2 did not go on asking for work: " + err.Error()
			return ctx.Err()
		}
		_, stolen := firstEvent(second, "job_taken_over")
		saw.True(!stolen, "worker-2", "leaves the job to worker-1, which renews its lock", "took it over")
		caught.Release()
		job, err := w.UntilJob(ctx, server, "shipment-batch-a", "completed", "failed")
		if err != nil {
			return err
		}
		saw.Note("worker-1 had the job in hand for %dms with a lock of 300ms", time.Since(since).Milliseconds())
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		saw.Equal("attempts", 1, job.Attempts)
		return saw.stock(ctx, w, 1)
	})
}
