package promise

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// refusedApply prepares the stock, lets a batch be tried, and sees that the job
// fails at once under the name of the refusal, with everything as it was before.
func refusedApply(ctx context.Context, lab *world.Lab, saw *Saw, what, code string, prepare func(context.Context, *world.World) error) error {
	return lab.In(ctx, func(w *world.World) error {
		if err := prepare(ctx, w); err != nil {
			return fmt.Errorf("prepare %s: %w", what, err)
		}
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		if _, err := w.Work(ctx, "worker", nil); err != nil {
			return err
		}
		answer := server.Post(ctx, "batch-a")
		saw.Equal(what+": answer", 202, answer.Status)
		job, err := w.UntilJob(ctx, server, "shipment-batch-a", "completed", "failed")
		if err != nil {
			return err
		}
		after, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		saw.Equal(what+": state of the job", "failed", job.State)
		saw.Equal(what+": attempts", 1, job.Attempts)
		saw.True(strings.Contains(job.Error, code), what+": error of the job", code, job.Error)
		saw.True(cmp.Equal(before, after), what+": stock, generation and marks", "unchanged", "changed (- before, + after):\n"+cmp.Diff(before, after))
		saw.Note("%s: failed after %d attempt with %q; nothing under importer: changed", what, job.Attempts, job.Error)
		return nil
	})
}

// setProduct writes one product as the contract says.
func setProduct(ctx context.Context, w *world.World, sku string, quantity int) error {
	value, err := json.Marshal(dataset.Product{SKU: sku, Title: "as it was", Quantity: quantity})
	if err != nil {
		return err
	}
	return w.Redis.HSet(ctx, shop.ProductsKey, sku, value).Err()
}

// quantityLimit puts the limit in the way of the last row: an apply that writes
// as it goes has changed the rows before it by then.
func quantityLimit(ctx context.Context, lab *world.Lab, saw *Saw) error {
	rows := lab.Data.Shipment
	last := rows[len(rows)-1]
	return refusedApply(ctx, lab, saw, "limit reached by the last row", "quantity_limit", func(ctx context.Context, w *world.World) error {
		return setProduct(ctx, w, last.SKU, 1_000_000-last.Quantity+1)
	})
}

// poisonedKeys damages what the apply relies on, one thing at a time. All of it
// must be found out before the first write.
func poisonedKeys(ctx context.Context, lab *world.Lab, saw *Saw) error {
	rows := lab.Data.Shipment
	last := rows[len(rows)-1].SKU
	mark := shop.MarkKey("batch-a")
	for _, poison := range []struct {
		what, code string
		commands   [][]any
	}{
		{"stock of the last row is no JSON", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, "{"}}},
		{"stock of the last row is a fraction", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, `{"sku":"` + last + `","title":"t","quantity":1.5}`}}},
		{"stock is a list", "bad_stock", [][]any{{"DEL", shop.ProductsKey}, {"RPUSH", shop.ProductsKey, "x"}}},
		{"generation is no number", "bad_generation", [][]any{{"SET", shop.GenerationKey, "seven"}}},
		{"generation is a hash", "bad_generation", [][]any{{"DEL", shop.GenerationKey}, {"HSET", shop.GenerationKey, "a", "b"}}},
		{"mark is no JSON", "bad_mark", [][]any{{"SET", mark, "true"}}},
		{"mark is a list", "bad_mark", [][]any{{"RPUSH", mark, "x"}}},
	} {
		err := refusedApply(ctx, lab, saw, poison.what, poison.code, func(ctx context.Context, w *world.World) error {
			for _, command := range poison.commands {
				if err := w.Redis.Do(ctx, command...).Err(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", poison.what, err)
		}
	}
	return nil
}
