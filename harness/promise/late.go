package promise

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// lateFailure lets a worker that has lost its job find out that its own attempt
// went wrong: its late command never arrives. What it has to say about a job that
// is another's, and done, must not count.
func lateFailure(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return late(ctx, lab, saw, func(f *world.Frozen) error {
		f.Late.Cut()
		return f.Program.Thaw()
	})
}

// lateRefusal does the same with a failure that is for good: the mark is damaged
// before the late command arrives.
func lateRefusal(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		mark := shop.MarkKey("batch-a")
		return lateIn(ctx, w, saw, func(f *world.Frozen) error {
			right, err := w.Redis.Get(ctx, mark).Result()
			if errors.Is(err, redis.Nil) {
				saw.Equal("mark of batch-a when worker-2 had done the job", "there", "not there")
				return f.Program.Thaw()
			}
			if err != nil {
				return fmt.Errorf("read the mark: %w", err)
			}
			if err := w.Redis.Set(ctx, mark, "damaged", 0).Err(); err != nil {
				return fmt.Errorf("damage the mark: %w", err)
			}
			if _, err := f.Wake(ctx); err != nil {
				return err
			}
			return w.Redis.Set(ctx, mark, right, 0).Err()
		})
	})
}

func late(ctx context.Context, lab *world.Lab, saw *Saw, wake func(*world.Frozen) error) error {
	return lab.In(ctx, func(w *world.World) error { return lateIn(ctx, w, saw, wake) })
}

// lateIn freezes worker-1 with a job in hand, lets worker-2 do it, wakes worker-1
// the given way, and sees that the job stays as worker-2 left it.
func lateIn(ctx context.Context, w *world.World, saw *Saw, wake func(*world.Frozen) error) error {
	server, frozen, err := frozenInHand(ctx, w, shortLock)
	if err != nil {
		return err
	}
	second, err := w.Work(ctx, "worker-2", shortLock)
	if err != nil {
		return err
	}
	before, err := w.UntilEnded(ctx, server, "batch-a")
	if err != nil {
		return err
	}
	if err := w.Stop(ctx, second); err != nil {
		return err
	}
	if err := wake(frozen); err != nil {
		return err
	}
	if err := w.Stop(ctx, frozen.Program); err != nil {
		return err
	}
	after, err := server.Job(ctx, shop.JobID("batch-a"))
	if err != nil {
		return err
	}
	saw.Equal("state of the job when worker-2 had done it", "completed", before.State+withReason(before.Error))
	if saw.True(after != nil, "record of the job after worker-1 woke up", "kept", "gone") {
		saw.Equal("state of the job after worker-1 woke up", before.State, after.State+withReason(after.Error))
		saw.Equal("attempts after worker-1 woke up", before.Attempts, after.Attempts)
	}
	counts, err := server.Counts(ctx)
	if err != nil {
		return err
	}
	saw.Equal("jobs still to be done after worker-1 woke up", 0, counts["waiting"]+counts["active"]+counts["delayed"])
	_, refused := firstEvent(frozen.Program, "lock_lost")
	saw.True(refused, "log of worker-1", "an event lock_lost", "none")
	return saw.stock(ctx, w, 1)
}
