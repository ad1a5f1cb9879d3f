package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// result is what an import answers.
type result struct {
	Imported int    `json:"imported"` // rows
	BatchID  string `json:"batchId"`
}

// apply adds a shipment to the stock.
//
// So far it does so in the plain way of stages 06 and 07, and adds again whenever it is
// asked again. What is to be done here has four parts; the others are in lua/apply.lua.
//
// TODO 08.1 (lessons/08-idempotent-apply.md#the-mark): name the mark of a batch:
// importer:done:<batchId>, beside the two keys of stock and generation.
//
// TODO 08.2 (lessons/08-idempotent-apply.md#the-mark): make a fingerprint of the rows. It
// is the same for the same rows, in whatever order or form the file had them, and
// another one as soon as any value is another one.
//
// TODO 08.3 (lessons/08-idempotent-apply.md#one-result): call the script instead of the
// loop below (newScript and run are in redis.go; see queue.go for how they are used)
// with the three keys, the batch id, the fingerprint, and the rows as JSON.
//
// TODO 08.4 (lessons/08-idempotent-apply.md#unknown-is-not-failed): read its answer. The
// mark that it returns holds the result, of this call or of the first one. What it
// refuses is a *refusal, which is final. Any other error leaves the outcome unknown, and
// the job may be tried again.
func apply(ctx context.Context, rdb *redis.Client, batchID string, rows []row) (result, error) {
	for _, r := range rows {
		var stock product
		raw, err := rdb.HGet(ctx, productsKey, r.sku).Bytes()
		switch {
		case errors.Is(err, redis.Nil): // the first of its kind
		case err != nil:
			return result{}, fmt.Errorf("batch %s: read the stock of %s: %w", batchID, r.sku, err)
		default:
			if err := json.Unmarshal(raw, &stock); err != nil {
				return result{}, refuse("bad_stock", "the stored product %s cannot be read: %v", r.sku, err)
			}
		}
		written, err := json.Marshal(product{SKU: r.sku, Title: r.title, Quantity: stock.Quantity + r.quantity})
		if err != nil {
			return result{}, fmt.Errorf("batch %s: encode the stock of %s: %w", batchID, r.sku, err)
		}
		if err := rdb.HSet(ctx, productsKey, r.sku, written).Err(); err != nil {
			return result{}, fmt.Errorf("batch %s: write the stock of %s: %w", batchID, r.sku, err)
		}
	}
	if err := rdb.Incr(ctx, generationKey).Err(); err != nil {
		return result{}, fmt.Errorf("batch %s: raise the generation: %w", batchID, err)
	}
	return result{Imported: len(rows), BatchID: batchID}, nil
}
