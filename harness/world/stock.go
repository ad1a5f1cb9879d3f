package world

import (
	"context"
	"encoding/json"
	"fmt"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world/shop"
)

// Reopen writes the opening catalogue in the place of whatever stock there is.
// The harness writes it by itself, as the contract says that it looks: a story
// about imports should not depend on the program's seed command.
func (w *World) Reopen(ctx context.Context) error {
	if err := w.Redis.Del(ctx, shop.ProductsKey, shop.GenerationKey).Err(); err != nil {
		return fmt.Errorf("clear the stock: %w", err)
	}
	for _, p := range w.Data.Opening {
		if err := w.SetProduct(ctx, p); err != nil {
			return err
		}
	}
	if err := w.Redis.Set(ctx, shop.GenerationKey, 0, 0).Err(); err != nil {
		return fmt.Errorf("write the generation: %w", err)
	}
	return nil
}

// SetProduct writes one product into the stock.
func (w *World) SetProduct(ctx context.Context, p dataset.Product) error {
	value, err := json.Marshal(p)
	if err == nil {
		err = w.Redis.HSet(ctx, shop.ProductsKey, p.SKU, value).Err()
	}
	if err != nil {
		return fmt.Errorf("write product %s: %w", p.SKU, err)
	}
	return nil
}
