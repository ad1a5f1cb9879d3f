package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/bench/apply"
)

// process is how many jobs a worker does per second when they all wait already.
func (b Bench) process(ctx context.Context, s Subject, jobs, inHand int) (rate float64, err error) {
	err = b.on(ctx, func(g *ground) error {
		p, err := g.serve(ctx, s)
		if err != nil {
			return err
		}
		defer p.close()
		batches := names("batch", jobs)
		if err := p.postAll(ctx, batches, inFlight); err != nil {
			return err
		}
		worker, err := g.start(ctx, s, "work", inHand)
		if err != nil {
			return err
		}
		if rate, err = g.steady(ctx, jobs); err != nil {
			return fmt.Errorf("%s, %d in hand: %w", s.Name, inHand, err)
		}
		if err := g.ended(ctx, p, s, batches); err != nil {
			return err
		}
		return g.stop(ctx, worker)
	})
	return figure(rate, err)
}

// together is how many jobs per second are stored and done when both happen at once.
func (b Bench) together(ctx context.Context, s Subject, jobs, inHand int) (rate float64, err error) {
	err = b.on(ctx, func(g *ground) error {
		p, err := g.serve(ctx, s)
		if err != nil {
			return err
		}
		defer p.close()
		worker, err := g.start(ctx, s, "work", inHand)
		if err != nil {
			return err
		}
		batches := names("batch", jobs)
		group, both := errgroup.WithContext(ctx)
		group.Go(func() error { return p.postAll(both, batches, inFlight) })
		group.Go(func() (err error) { rate, err = g.steady(both, jobs); return err })
		if err := group.Wait(); err != nil {
			return fmt.Errorf("%s, both together: %w", s.Name, err)
		}
		if err := g.ended(ctx, p, s, batches); err != nil {
			return err
		}
		return g.stop(ctx, worker)
	})
	return figure(rate, err)
}

// limit is how many shipments per second are applied by the same script, from a client of
// the same kind, with no queue at all: what no worker can pass.
func (b Bench) limit(ctx context.Context, jobs, inHand int) (rate float64, err error) {
	err = b.on(ctx, func(g *ground) error {
		rdb, err := apply.Connect(g.url(), patience, inHand)
		if err != nil {
			return err
		}
		defer rdb.Close()
		shipment, err := apply.Encode(g.Data.Shipment)
		if err != nil {
			return err
		}
		batches := names("batch", jobs)
		group, both := errgroup.WithContext(ctx)
		group.Go(func() error {
			return hands(both, batches, inHand, func(ctx context.Context, batch string) error {
				answer, err := b.Script.Run(ctx, rdb, batch, shipment)
				if err == nil && answer != apply.Applied {
					err = fmt.Errorf("%w: apply of batch %s said %s", ErrWrong, batch, answer)
				}
				return err
			})
		})
		group.Go(func() (err error) { rate, err = g.steady(both, jobs); return err })
		if err := group.Wait(); err != nil {
			return fmt.Errorf("limit, %d in hand: %w", inHand, err)
		}
		return g.right(ctx, batches, true)
	})
	return figure(rate, err)
}

// hands does the batches one after the other in each of so many hands.
func hands(ctx context.Context, batches []string, inHand int, do func(context.Context, string) error) error {
	next := make(chan string, len(batches))
	for _, batch := range batches {
		next <- batch
	}
	close(next)
	group, ctx := errgroup.WithContext(ctx)
	for range inHand {
		group.Go(func() error {
			for batch := range next {
				if err := do(ctx, batch); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// errTooFew means that the work was over before it could be looked at twice.
var errTooFew = errors.New("too few jobs to be measured")

// steady waits until all jobs are applied, and returns their rate from the moment on in
// which a tenth of them were: a worker that starts, and makes its connections, is not yet
// what is measured.
func (g *ground) steady(ctx context.Context, jobs int) (rate float64, err error) {
	var begun time.Time
	first, last, moved := 0, 0, time.Now()
	for {
		n, err := g.generation(ctx)
		if err != nil {
			return 0, err
		}
		now := time.Now()
		if n != last {
			last, moved = n, now
		}
		switch {
		case n >= jobs && (begun.IsZero() || first == n):
			return 0, fmt.Errorf("%w: all %d at the first look", errTooFew, jobs)
		case n >= jobs:
			return perSecond(n-first, now.Sub(begun)), nil
		case begun.IsZero() && n >= max(1, jobs/10):
			begun, first = now, n
		case now.Sub(moved) > patience:
			return 0, fmt.Errorf("%w: %d of %d jobs were applied, and for %v no other", ErrWrong, n, jobs, patience)
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}
