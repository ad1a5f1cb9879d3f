package measure

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"example.com/importer/harness/bench/apply"
	"example.com/importer/harness/dataset"
)

// growth is the time in µs that Redis itself spends on one apply of so many rows. repeat
// is for batches that were applied before.
func (b Bench) growth(ctx context.Context, rows, calls int, repeat bool) (micros float64, err error) {
	data := dataset.Data{Name: "growth", Opening: b.Data.Opening}
	for i := range rows {
		data.Shipment = append(data.Shipment, dataset.Product{SKU: fmt.Sprintf("product-%d", i), Title: fmt.Sprintf("Product %d", i), Quantity: 1 + i%7})
	}
	b.Data = data
	err = b.on(ctx, func(g *ground) error {
		shipment, err := apply.Encode(data.Shipment)
		if err != nil {
			return err
		}
		run := func(batches []string, expected string) error {
			for _, batch := range batches {
				answer, err := b.Script.Run(ctx, g.redis, batch, shipment)
				if err != nil {
					return err
				}
				if answer != expected {
					return fmt.Errorf("%w: apply of batch %s said %s, %s is expected", ErrWrong, batch, answer, expected)
				}
			}
			return nil
		}
		warm, batches := names("warm", 1), names("batch", calls) // warm loads the script and makes the products
		if err := run(warm, apply.Applied); err != nil {
			return err
		}
		expected := apply.Applied
		if repeat {
			if err := run(batches, apply.Applied); err != nil {
				return err
			}
			expected = apply.Repeated
		}
		if err := g.redis.ConfigResetStat(ctx).Err(); err != nil {
			return fmt.Errorf("reset the statistics: %w", err)
		}
		if err := run(batches, expected); err != nil {
			return err
		}
		info, err := g.redis.Info(ctx, "commandstats").Result()
		if err != nil {
			return fmt.Errorf("read the statistics: %w", err)
		}
		counted, used, err := evalsha(info)
		if err != nil {
			return err
		}
		if counted != calls {
			return fmt.Errorf("%w: Redis counted %d calls of EVALSHA, %d were made", ErrWrong, counted, calls)
		}
		micros = float64(used) / float64(calls)
		return g.right(ctx, append(warm, batches...), true)
	})
	return figure(micros, err)
}

var evalshaLine = regexp.MustCompile(`(?m)^cmdstat_evalsha:calls=(\d+),usec=(\d+),`)

// evalsha reads how often EVALSHA was called and how many µs that took.
func evalsha(info string) (calls, micros int, err error) {
	found := evalshaLine.FindStringSubmatch(info)
	if found == nil {
		return 0, 0, fmt.Errorf("INFO commandstats has no line about EVALSHA: %.200q", info)
	}
	calls, err = strconv.Atoi(found[1])
	if err == nil {
		micros, err = strconv.Atoi(found[2])
	}
	return calls, micros, err
}
