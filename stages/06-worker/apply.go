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

// apply adds a shipment to the stock in the plain way: row by row it reads the
// quantity, adds, and writes back; then it raises the generation.
//
// Done once and without trouble this is right. But nothing holds the steps
// together: a failure between two rows leaves half a shipment, another worker may
// come in between a read and its write, and nobody can tell afterwards whether a
// batch has been added already. Doing it again adds it again.
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
