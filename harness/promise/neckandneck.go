package promise

import (
	"context"
	"sync"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// twoServers lets two servers be asked for the same batch neck and neck: what one of
// them has found out about the job by then, the other one has found out as well. One
// job must come of it, and it must be done once.
func twoServers(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		var servers []*world.Server
		var traps []*wire.Trap
		for _, name := range []string{"server-1", "server-2"} {
			server, err := w.Serve(ctx, name, nil)
			if err != nil {
				return err
			}
			// The first request may load scripts and open connections.
			post(ctx, server, "batch-warm").accepted(saw, "answer of "+name+" to batch-warm", "batch-warm")
			trap := server.Wire.Trap(wire.BeforeServer, naming("batch-a"))
			defer trap.Disarm()
			servers, traps = append(servers, server), append(traps, trap)
		}
		answers := make([]answer, len(servers))
		var asked sync.WaitGroup
		for i, server := range servers {
			asked.Go(func() { answers[i] = post(ctx, server, "batch-a") })
		}
		err := together(ctx, traps)
		for _, trap := range traps {
			trap.Disarm() // the later commands go on together
		}
		asked.Wait()
		if err != nil {
			return err
		}
		for i, server := range servers {
			answers[i].accepted(saw, "answer of "+server.Name()+" to batch-a", "batch-a")
		}
		one := waiting(ctx, servers[0], saw, "counts after batch-warm and batch-a", 2)
		if !one || !w.Stage.Works {
			return nil
		}
		worker, err := w.Work(ctx, "worker", nil)
		if err != nil {
			return err
		}
		for _, batch := range []string{"batch-warm", "batch-a"} {
			job, err := w.UntilEnded(ctx, servers[0], batch)
			if err != nil {
				return err
			}
			saw.Equal("state of the job of "+batch, "completed", job.State+withReason(job.Error))
			saw.Equal("attempts for "+batch, 1, job.Attempts)
		}
		if err := w.Stop(ctx, worker); err != nil {
			return err
		}
		saw.Note("both servers had asked Redis about batch-a before either of them was answered")
		return saw.stock(ctx, w, 2)
	})
}

// together lets the first command in each trap run before the second one of any.
func together(ctx context.Context, traps []*wire.Trap) error {
	var first []*wire.Caught
	for _, trap := range traps {
		caught, err := world.CatchWhen(ctx, trap, func() (bool, error) { return true, nil })
		if err != nil {
			return err
		}
		first = append(first, caught)
	}
	for _, caught := range first {
		caught.Release()
		if _, err := caught.Answered(ctx); err != nil {
			return err
		}
	}
	return nil
}
