package promise

import (
	"context"
	"fmt"
	"strings"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// scriptFlush empties the script cache between two jobs, as a restart or a
// failover would. Both must be applied, each once and without a retry.
func scriptFlush(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		for i, batch := range []string{"batch-a", "batch-b"} {
			if _, err := server.Accept(ctx, batch); err != nil {
				return err
			}
			job, err := w.UntilEnded(ctx, server, batch)
			if err != nil {
				return err
			}
			saw.Equal("state of the job of "+batch, "completed", job.State+withReason(job.Error))
			saw.Equal("attempts for "+batch, 1, job.Attempts)
			if err := saw.stock(ctx, w, i+1); err != nil {
				return err
			}
			if err := w.Redis.ScriptFlush(ctx).Err(); err != nil {
				return fmt.Errorf("flush the script cache: %w", err)
			}
		}
		saw.Note("the script cache was emptied after the first job and after the second")
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		return nil
	})
}

// removedRecord takes the record of a job away while its worker has the apply on
// the way. Waking up, the worker must bring nothing back, and the same batch must
// be accepted again.
func removedRecord(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_RETENTION": "0s", "IMPORTER_LOCK_DURATION": lockShort.String()}
		server, frozen, err := frozenInHand(ctx, w, settings)
		if err != nil {
			return err
		}
		if _, err := w.Work(ctx, "worker-2", settings); err != nil {
			return err
		}
		if _, err := w.UntilJob(ctx, server, shop.JobID("batch-a"), "gone"); err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.QueuePrefix)
		if err != nil {
			return err
		}
		if _, err := frozen.Wake(ctx); err != nil {
			return err
		}
		if err := w.Stop(ctx, frozen.Program); err != nil {
			return err
		}
		job, err := server.Job(ctx, shop.JobID("batch-a"))
		if err != nil {
			return err
		}
		saw.True(job == nil, "record of the job after worker-1 woke up", "none, it had been removed", fmt.Sprintf("%+v", job))
		after, err := w.Dump(ctx, shop.QueuePrefix)
		if err != nil {
			return err
		}
		for place, content := range after {
			_, known := before[place]
			back := !known && strings.Contains(place+content, shop.JobID("batch-a"))
			saw.True(!back, "keys of the queue after worker-1 woke up", "nothing new about the job", place+": "+content)
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		if _, err := w.UntilJob(ctx, server, shop.JobID("batch-a"), "gone"); err != nil {
			return err
		}
		return saw.stock(ctx, w, 1)
	})
}
