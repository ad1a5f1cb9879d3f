package promise

import (
	"context"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// sameJob puts one job into two hands: worker-1 is frozen with its stock command on
// the way, worker-2 takes the job over and has its own on the way as well. Then both
// arrive together, and both workers go on.
func sameJob(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, frozen, err := frozenInHand(ctx, w, shortLock)
		if err != nil {
			return err
		}
		second, trap, err := w.WorkTrapped(ctx, "worker-2", shortLock, wire.BeforeServer)
		if err != nil {
			return err
		}
		held, err := world.CatchFirst(ctx, trap)
		if err != nil {
			return err
		}
		held.Release()
		if _, err := frozen.Wake(ctx); err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		for _, worker := range []*world.Program{frozen.Program, second} {
			if err := w.Stop(ctx, worker); err != nil {
				return err
			}
		}
		saw.Note("both workers had the only job in hand, and both commands were let go together")
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		saw.result("result of the job", lab, job, "batch-a")
		return saw.stock(ctx, w, 1)
	})
}
