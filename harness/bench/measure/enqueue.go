package measure

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hibiken/asynq"
)

// enqueue is how many jobs a producer stores per second, over HTTP, with so many requests
// in flight and no worker.
func (b Bench) enqueue(ctx context.Context, s Subject, jobs, atOnce int) (rate float64, err error) {
	err = b.on(ctx, func(g *ground) error {
		p, err := g.serve(ctx, s)
		if err != nil {
			return err
		}
		defer p.close()
		warm, batches := names("warm", atOnce), names("batch", jobs)
		if err := p.postAll(ctx, warm, atOnce); err != nil { // connections are made
			return err
		}
		begun := time.Now()
		if err := p.postAll(ctx, batches, atOnce); err != nil {
			return err
		}
		rate = perSecond(jobs, time.Since(begun))
		if err := p.all(ctx, "waiting", len(warm)+jobs); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		return g.right(ctx, nil, false)
	})
	return figure(rate, err)
}

// enqueueByClient is asynq alone: its client in this process, and no HTTP.
func (b Bench) enqueueByClient(ctx context.Context, jobs, atOnce int) (rate float64, err error) {
	err = b.on(ctx, func(g *ground) error {
		client := asynq.NewClientFromRedisClient(g.redis)
		store := func(batches []string) error {
			group, ctx := errgroup.WithContext(ctx)
			group.SetLimit(atOnce)
			for _, batch := range batches {
				group.Go(func() error {
					payload := []byte(`{"contractVersion":1,"dataset":"shipment-a","batchId":"` + batch + `"}`)
					_, err := client.EnqueueContext(ctx, asynq.NewTask("import-shipment", payload), asynq.Queue("importer-local"),
						asynq.TaskID("shipment-"+batch), asynq.MaxRetry(4), asynq.Timeout(2*time.Minute), asynq.Retention(retention))
					return err
				})
			}
			return group.Wait()
		}
		warm := names("warm", atOnce)
		if err := store(warm); err != nil {
			return err
		}
		batches := names("batch", jobs)
		begun := time.Now()
		if err := store(batches); err != nil {
			return err
		}
		rate = perSecond(jobs, time.Since(begun))
		info, err := asynq.NewInspectorFromRedisClient(g.redis).GetQueueInfo("importer-local")
		if err != nil {
			return fmt.Errorf("asynq: look at the queue: %w", err)
		}
		if info.Pending != len(warm)+jobs {
			return fmt.Errorf("asynq: %w: %d jobs are pending, %d are expected", ErrWrong, info.Pending, len(warm)+jobs)
		}
		return g.right(ctx, nil, false)
	})
	return figure(rate, err)
}

func names(kind string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s-%d", kind, i)
	}
	return list
}

func perSecond(jobs int, took time.Duration) float64 { return float64(jobs) / took.Seconds() }
