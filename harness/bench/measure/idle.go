package measure

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/importer/harness/bench/figures"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
)

// latency is the time in ms from asking for one job until it is done, with a worker that
// has nothing else to do: the median and the 95th percentile. Who asks over and over whether
// it is done takes time from who does it; so the end is read from the worker's log, afterwards.
func (b Bench) latency(ctx context.Context, s Subject, jobs int) (median, p95 float64, err error) {
	err = b.on(ctx, func(g *ground) error {
		p, err := g.serve(ctx, s)
		if err != nil {
			return err
		}
		defer p.close()
		worker, err := g.start(ctx, s, "work", 1)
		if err != nil {
			return err
		}
		begun := map[string]time.Time{}
		batches := names("batch", jobs)
		for _, batch := range batches {
			if err := g.idle(ctx); err != nil {
				return err
			}
			begun[shop.JobID(batch)] = time.Now()
			if err := p.post(ctx, batch); err != nil {
				return err
			}
		}
		if err := g.ended(ctx, p, s, batches); err != nil {
			return err
		}
		if err := g.stop(ctx, worker); err != nil {
			return err
		}
		delete(begun, shop.JobID(batches[0])) // it loads the scripts
		took, err := g.took(begun)
		median, p95 = figures.Quantile(took, 0.5), figures.Quantile(took, 0.95)
		return err
	})
	return median, p95, err
}

// leave is the median time in ms that an idle worker takes to end when it is asked to.
func (b Bench) leave(ctx context.Context, s Subject, times int) (median float64, err error) {
	var took []float64
	err = b.on(ctx, func(g *ground) error {
		for range times {
			worker, err := g.start(ctx, s, "work", 1)
			if err != nil {
				return err
			}
			if err := g.idle(ctx); err != nil {
				return err
			}
			begun := time.Now()
			if err := g.stop(ctx, worker); err != nil {
				return err
			}
			took = append(took, millis(time.Since(begun)))
		}
		return g.right(ctx, nil, false)
	})
	if err != nil {
		return 0, err
	}
	return figures.Quantile(took, 0.5), nil
}

// idle waits until the worker waits for a job, which is to say, until Redis keeps a client
// waiting.
func (g *ground) idle(ctx context.Context) error {
	return until(ctx, "the worker waits for a job", func(ctx context.Context) (bool, error) {
		info, err := g.redis.Info(ctx, "clients").Result()
		return !strings.Contains(info, "blocked_clients:0\r"), err
	})
}

// stop asks a program to end and expects it to do so well.
func (g *ground) stop(ctx context.Context, p *program.Process) error {
	exit, err := p.Stop(ctx, stopGrace)
	if err == nil && exit.Code != 0 {
		err = fmt.Errorf("%w: %s was asked to stop and %s", ErrWrong, p.Name(), exit)
	}
	return err
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
