package promise

import (
	"context"
	"fmt"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// workerStops asks a worker to stop while its stock command is on the way, with
// another job waiting. It may finish what it has in hand or give it back; it must
// take nothing new and lose nothing.
func workerStops(ctx context.Context, lab *world.Lab, saw *Saw) error {
	for _, end := range []struct {
		what string
		how  func(*wire.Caught)
	}{
		{"its command arrives after all", (*wire.Caught).Release},
		{"its command never arrives", (*wire.Caught).Cut},
	} {
		saw.Where = end.what + ": "
		if err := stopInHand(ctx, lab, saw, end.how); err != nil {
			return err
		}
	}
	return nil
}

func stopInHand(ctx context.Context, lab *world.Lab, saw *Saw, decide func(*wire.Caught)) error {
	return lab.In(ctx, func(w *world.World) error {
		server, first, caught, err := heldInHand(ctx, w, shortLock)
		if err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-b"); err != nil {
			return err
		}
		if err := first.Interrupt(); err != nil {
			return fmt.Errorf("ask worker-1 to stop: %w", err)
		}
		decide(caught)
		if err := w.Stop(ctx, first); err != nil {
			return err
		}
		waiting, err := server.Job(ctx, shop.JobID("batch-b"))
		if err != nil {
			return err
		}
		if saw.True(waiting != nil, "job that waited when worker-1 was asked to stop", "still there", "gone") {
			// How soon a program hears of a signal is its machine's affair as well.
			saw.Soon(waiting.State == "waiting", "state of the job that waited", "waiting", waiting.State)
		}
		if _, err := w.Work(ctx, "worker-2", shortLock); err != nil {
			return err
		}
		for _, batch := range []string{"batch-a", "batch-b"} {
			job, err := w.UntilEnded(ctx, server, batch)
			if err != nil {
				return err
			}
			saw.Equal("state of the job of "+batch, "completed", job.State+withReason(job.Error))
		}
		saw.Note("%sworker-1 exited with 0, the waiting job was left to worker-2", saw.Where)
		return saw.stock(ctx, w, 2)
	})
}
