package promise

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// markOf stands for the mark of the batch that is about to be tried.
const markOf = "(its mark)"

// poison is something in Redis that an apply must refuse, and the name under
// which it must.
type poison struct {
	what, code string
	commands   [][]any
}

// quantityLimit puts the limit in the way of the last row: an apply that writes
// as it goes has changed the rows before it by then.
func quantityLimit(ctx context.Context, lab *world.Lab, saw *Saw) error {
	last := lastRow(lab.Data)
	almost, err := json.Marshal(dataset.Product{SKU: last.SKU, Title: last.Title, Quantity: 1_000_000 - last.Quantity + 1})
	if err != nil {
		return err
	}
	return refusedApplies(ctx, lab, saw, []poison{
		{"limit passed by the last row", "quantity_limit", [][]any{{"HSET", shop.ProductsKey, last.SKU, almost}}},
	})
}

// poisonedKeys damages what the apply relies on, one thing at a time. All of it
// must be found out before the first write.
func poisonedKeys(ctx context.Context, lab *world.Lab, saw *Saw) error {
	last := lastRow(lab.Data).SKU
	return refusedApplies(ctx, lab, saw, []poison{
		{"stock of the last row is no JSON", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, "{"}}},
		{"stock of the last row is a fraction", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, `{"sku":"` + last + `","title":"t","quantity":1.5}`}}},
		{"stock of the last row is negative", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, `{"sku":"` + last + `","title":"t","quantity":-1}`}}},
		{"stock of the last row is text", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, `{"sku":"` + last + `","title":"t","quantity":"8"}`}}},
		{"stock of the last row is that of another sku", "bad_stock", [][]any{{"HSET", shop.ProductsKey, last, `{"sku":"other","title":"t","quantity":8}`}}},
		{"stock is a list", "bad_stock", [][]any{{"DEL", shop.ProductsKey}, {"RPUSH", shop.ProductsKey, "x"}}},
		{"generation is no number", "bad_generation", [][]any{{"SET", shop.GenerationKey, "seven"}}},
		{"generation is a fraction", "bad_generation", [][]any{{"SET", shop.GenerationKey, "1.5"}}},
		{"generation has a leading zero", "bad_generation", [][]any{{"SET", shop.GenerationKey, "007"}}},
		{"generation is as large as a number can be", "bad_generation", [][]any{{"SET", shop.GenerationKey, "9223372036854775807"}}},
		{"generation is a hash", "bad_generation", [][]any{{"DEL", shop.GenerationKey}, {"HSET", shop.GenerationKey, "a", "b"}}},
		{"mark is true", "bad_mark", [][]any{{"SET", markOf, "true"}}},
		{"mark holds no result", "bad_mark", [][]any{{"SET", markOf, "{}"}}},
		{"mark is a list", "bad_mark", [][]any{{"RPUSH", markOf, "x"}}},
	})
}

func lastRow(data dataset.Data) dataset.Product { return data.Shipment[len(data.Shipment)-1] }

// refusedApplies lets a batch be tried with each poison in turn, and sees that its
// job fails at once under the name of the refusal, with everything as it was.
func refusedApplies(ctx context.Context, lab *world.Lab, saw *Saw, poisons []poison) error {
	return lab.In(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		for i, p := range poisons {
			saw.Where = p.what + ": "
			if err := w.Reopen(ctx); err != nil {
				return err
			}
			batch := fmt.Sprintf("poison-%d", i+1)
			for _, command := range p.commands {
				if command[1] == markOf {
					command[1] = shop.MarkKey(batch)
				}
				if err := w.Redis.Do(ctx, command...).Err(); err != nil {
					return fmt.Errorf("%s: %w", p.what, err)
				}
			}
			before, err := w.Dump(ctx, shop.StockPrefix)
			if err != nil {
				return err
			}
			if _, err := server.Accept(ctx, batch); err != nil {
				return err
			}
			job, err := w.UntilEnded(ctx, server, batch)
			if err != nil {
				return err
			}
			saw.Equal("state of the job", "failed", job.State)
			saw.Equal("attempts", 1, job.Attempts)
			saw.True(strings.Contains(job.Error, p.code), "error of the job", p.code, job.Error)
			if err := saw.Unchanged(ctx, w, before); err != nil {
				return err
			}
			saw.Note("%s: failed after %d attempt with %q", p.what, job.Attempts, job.Error)
		}
		return nil
	})
}
