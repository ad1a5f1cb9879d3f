package promise

import (
	"context"
	"fmt"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// needsServer is why a check proved nothing on an imitation of Redis.
const needsServer = "needs a Redis server of its own, in a container"

// redisKilled kills Redis when a batch has been applied, and starts it again over
// what it has left behind: stock, generation and mark must still agree, and both
// programs go on without a restart.
func redisKilled(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return saw.own(lab.InOwn(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		if _, err := w.UntilEnded(ctx, server, "batch-a"); err != nil {
			return err
		}
		if err := w.CrashRedis(ctx); err != nil {
			return err
		}
		saw.Note("Redis was killed after the job had completed, and started again over its append-only file")
		saw.Where = "after Redis came back: "
		state, err := shop.ReadState(ctx, w.Redis)
		if err != nil {
			return err
		}
		_, marked := state.Marks["batch-a"]
		saw.Equal("stock", w.Data.Line(w.Data.After(1)), w.Data.Line(state.Stock))
		saw.Equal("mark of batch-a is there", true, marked)

		saw.Where = "the same batch, asked for again: "
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		if _, err := w.UntilEnded(ctx, server, "batch-a"); err != nil {
			return err
		}
		if err := saw.stock(ctx, w, 1); err != nil {
			return err
		}
		saw.Where = "another batch, with the same programs: "
		if _, err := server.Accept(ctx, "batch-b"); err != nil {
			return err
		}
		if _, err := w.UntilEnded(ctx, server, "batch-b"); err != nil {
			return err
		}
		return saw.stock(ctx, w, 2)
	}))
}

// redisFull takes the memory away from a real Redis while a job waits. Nothing may
// be written by halves, the producer must say so, and all goes on when there is
// memory again.
func redisFull(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return saw.own(lab.InOwn(ctx, func(w *world.World) error {
		// More attempts than a program can use up while this check looks at it.
		settings := world.Settings{"IMPORTER_LOCK_DURATION": lockShort.String(), "IMPORTER_ATTEMPTS": "100"}
		server, err := w.Serve(ctx, "server", settings)
		if err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		if err := w.Redis.ConfigSet(ctx, "maxmemory", "1").Err(); err != nil {
			return fmt.Errorf("take the memory away: %w", err)
		}
		giveBack := func() error { return w.Redis.ConfigSet(context.WithoutCancel(ctx), "maxmemory", "0").Err() }
		defer giveBack() // the server outlives this check, however it ends
		worker, err := w.Work(ctx, "worker", settings)
		if err != nil {
			return err
		}
		saw.Where = "without memory: "
		saw.Equal("answer to another batch", 503, server.Post(ctx, "batch-b").Status)
		if err := w.Until(ctx, "a worker that says that Redis is of no use", func(context.Context) (bool, error) {
			_, down := firstEvent(worker, "redis_unavailable")
			_, later := firstEvent(worker, "job_retry")
			return down || later, nil
		}); err != nil {
			return err
		}
		if err := saw.Unchanged(ctx, w, before); err != nil {
			return err
		}
		if err := giveBack(); err != nil {
			return fmt.Errorf("give the memory back: %w", err)
		}
		saw.Note("with maxmemory 1 the producer said 503 and the worker said that it could not go on; nothing was written")
		saw.Where = "with memory again: "
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		return saw.stock(ctx, w, 1)
	}))
}

// own notes a check that could not happen.
func (s *Saw) own(happened bool, err error) error {
	if !happened && err == nil {
		s.Missing = needsServer
	}
	return err
}
