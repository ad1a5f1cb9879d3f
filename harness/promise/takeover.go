package promise

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// shortLock lets a lock run out while the check looks on.
var shortLock = world.Settings{"IMPORTER_LOCK_DURATION": lockShort.String()}

const lockShort = 400 * time.Millisecond

// killedBeforeApply kills the worker while its first stock command is on the way
// and never lets that arrive; another worker does the job.
func killedBeforeApply(ctx context.Context, lab *world.Lab, saw *Saw) error {
	_, err := killed(ctx, lab, saw, wire.BeforeServer, 1)
	return err
}

// killedAtEach kills the worker right after each of its stock commands: after the
// first one, in another world after the second one, and so on until there is no
// further one. Whatever was done by then, the next worker must end up right.
func killedAtEach(ctx context.Context, lab *world.Lab, saw *Saw) error {
	for nth := 1; ; nth++ {
		fired, err := killed(ctx, lab, saw, wire.AfterServer, nth)
		if err != nil || !fired {
			return err
		}
	}
}

// killed kills worker-1 at its nth stock command and lets worker-2 do the job. It
// says whether there was such a command; the first one there must be.
func killed(ctx context.Context, lab *world.Lab, saw *Saw, at wire.Moment, nth int) (fired bool, err error) {
	err = lab.In(ctx, func(w *world.World) error {
		server, first, err := w.Start(ctx, "worker-1", shortLock)
		if err != nil {
			return err
		}
		trap := first.TrapStock(at)
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		// The job's end is the other way for the wait to end: then there was no nth.
		catching, stop := context.WithCancel(ctx)
		var looking sync.WaitGroup
		if nth > 1 {
			looking.Go(func() {
				// It may be the nth command itself that ended the job: then the trap has it.
				_, err := w.UntilEnded(catching, server, "batch-a")
				if err == nil && len(first.StockCommands()) < nth {
					stop()
				}
			})
		}
		defer looking.Wait()
		defer stop()
		seen := 0
		caught, err := world.CatchWhen(catching, trap, func() (bool, error) { seen++; return seen == nth, nil })
		if catching.Err() != nil && nth > 1 {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		stop()
		fired = true
		// A program may end the job in the command that changes the stock. Then there is
		// nothing left to take over.
		then, err := server.Job(ctx, shop.JobID("batch-a"))
		if err != nil {
			return err
		}
		ended := then != nil && then.State == "completed"
		exit := first.Kill()
		caught.Cut()
		killedAt := time.Now()
		saw.Where = fmt.Sprintf("worker-1 killed %v of its stock command %d (%s): ", at, nth, caught.Exchange().Name())
		saw.Note("%s%s", saw.Where, exit)

		second, err := w.Work(ctx, "worker-2", shortLock)
		if err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		saw.Note("%sworker-2 had the job done %dms later, with a lock of %v", saw.Where, time.Since(killedAt).Milliseconds(), lockShort)
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		if ended {
			saw.Equal("attempts", 1, job.Attempts)
		} else {
			saw.Equal("attempts", 2, job.Attempts)
			_, ok := firstEvent(second, "job_taken_over")
			saw.True(ok, "log of worker-2", "an event job_taken_over", "none")
		}
		saw.result("result", lab, job, "batch-a")
		return saw.stock(ctx, w, 1)
	})
	return fired, err
}

// renewed holds the worker's stock command for many times the length of its lock.
// The worker lives and renews, so nobody may take its job.
func renewed(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, _, caught, err := heldInHand(ctx, w, shortLock)
		if err != nil {
			return err
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
		if err := second.Wire.Await(limited, func() bool { return time.Since(since) > 3*lockShort }); err != nil {
			saw.Missing = "worker-2 did not go on asking for work: " + err.Error()
			return ctx.Err()
		}
		if _, stolen := firstEvent(second, "job_taken_over"); stolen {
			// A worker that was given no time by its machine loses its lock lawfully.
			saw.Soon(false, "worker-2", "leaves the job to worker-1, which renews its lock", "took it over")
			return nil
		}
		caught.Release()
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		saw.Note("worker-1 had the job in hand for %dms with a lock of %v", time.Since(since).Milliseconds(), lockShort)
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		saw.Equal("attempts", 1, job.Attempts)
		return saw.stock(ctx, w, 1)
	})
}
