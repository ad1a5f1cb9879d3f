package promise

import (
	"context"
	"fmt"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// states leads jobs through all the states that there are, and sees each of them in
// the job and in the counts.
func states(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		// Pauses are so long that a job which rests goes on resting.
		settings := world.Settings{"IMPORTER_BACKOFF": "1m", "IMPORTER_DEADLINE": "24h"}
		server, first, err := w.Start(ctx, "worker-1", settings)
		if err != nil {
			return err
		}
		trap := first.TrapStock(wire.BeforeServer)
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		for tries := 0; ; tries++ {
			caught, err := world.CatchWhen(ctx, trap, func() (bool, error) { return true, nil })
			if err != nil {
				return err
			}
			if tries == 0 {
				saw.shown(ctx, w, server, "while its shipment is on the way to Redis", "batch-a", "active", map[string]int{"active": 1})
			}
			caught.Cut()
			if _, err := w.UntilJob(ctx, server, shop.JobID("batch-a"), "delayed", "completed", "failed"); err != nil {
				return err
			}
			first.Wire.Hang() // a pause can be as short as nothing: nobody takes the job again while it is looked at
			job, err := server.Job(ctx, shop.JobID("batch-a"))
			if err != nil {
				return err
			}
			if job != nil && job.State == "delayed" || tries == 3 {
				break
			}
			if err := first.Wire.Pass(); err != nil {
				return err
			}
		}
		saw.shown(ctx, w, server, "after an attempt that failed", "batch-a", "delayed", map[string]int{"delayed": 1})
		first.Kill()

		stored, err := w.Run(ctx, "enqueue", "enqueue", "--job-id", "bad", "--data", "{")
		if err != nil {
			return err
		}
		saw.Equal("importer enqueue: exit status", 0, stored.Exit.Code)
		if _, err := server.Accept(ctx, "batch-b"); err != nil {
			return err
		}
		saw.shown(ctx, w, server, "without a worker", "batch-b", "waiting", map[string]int{"delayed": 1, "waiting": 2})
		if _, err := w.Work(ctx, "worker-2", settings); err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-c"); err != nil {
			return err
		}
		for _, id := range []string{"bad", shop.JobID("batch-b"), shop.JobID("batch-c")} {
			if _, err := w.UntilJob(ctx, server, id, "completed", "failed"); err != nil {
				return err
			}
		}
		saw.shown(ctx, w, server, "when it was done", "batch-b", "completed", map[string]int{"delayed": 1, "failed": 1, "completed": 2})
		saw.Note("one job was seen active and delayed, two completed, one failed, in the job and in the counts")
		return nil
	})
}

// shown sees the state of a batch's job, and the counts. A machine that is slow may
// have let a pause go by, so what differs is about time.
func (s *Saw) shown(ctx context.Context, w *world.World, server *world.Server, when, batch, state string, counts map[string]int) {
	job, err := server.Job(ctx, shop.JobID(batch))
	if err != nil {
		s.Soon(false, "state of the job "+when, state, err.Error())
		return
	}
	seen := "no record"
	if job != nil {
		seen = job.State
	}
	s.Soon(seen == state, "state of the job "+when, state, seen)
	told, err := server.Counts(ctx)
	if err != nil {
		s.Soon(false, "counts "+when, fmt.Sprint(counts), err.Error())
		return
	}
	all := map[string]int{"waiting": 0, "active": 0, "delayed": 0, "completed": 0, "failed": 0}
	for state, n := range counts {
		all[state] = n
	}
	s.Soon(fmt.Sprint(all) == fmt.Sprint(told), "counts "+when, fmt.Sprint(all), fmt.Sprint(told))
}

// retention lets the record of a finished job be kept for a moment only, and waits for
// it to go.
func retention(ctx context.Context, lab *world.Lab, saw *Saw) error {
	if lab.Engine.Kind() == engine.Miniredis {
		saw.Missing = "needs a Redis whose lifetimes run out by themselves"
		return nil
	}
	return lab.In(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", world.Settings{"IMPORTER_RETENTION": "300ms"})
		if err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		id := shop.JobID("batch-a")
		if _, err := w.UntilJob(ctx, server, id, "completed", "failed", "gone"); err != nil {
			return err
		}
		ended := time.Now()
		gone := false
		err = w.Until(ctx, "a look at the record", func(ctx context.Context) (bool, error) {
			job, err := server.Job(ctx, id)
			gone = job == nil && err == nil
			return gone || time.Since(ended) > removedWithin, err
		})
		if err != nil {
			return err
		}
		if !saw.Soon(gone, "record of a job with a retention of 300ms", "removed", fmt.Sprintf("there %v after the end of the job", removedWithin)) {
			return nil
		}
		counts, err := server.Counts(ctx)
		if err != nil {
			return err
		}
		saw.Equal("completed jobs in the counts when the record was removed", 0, counts["completed"])
		saw.Note("the record was gone %v after the job had ended, with a retention of 300ms", time.Since(ended).Round(10*time.Millisecond))
		return saw.stock(ctx, w, 1)
	})
}

// removedWithin is how long a record may outlive a retention of less than a second:
// a queue may count in seconds, and look after its records now and then.
const removedWithin = 8 * time.Second
