package promise

import (
	"context"
	"strings"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// seedOnce seeds an empty shop, and then one that has stock already.
func seedOnce(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.InEmpty(ctx, func(w *world.World) error {
		first, err := w.Run(ctx, "seed", "seed")
		if err != nil {
			return err
		}
		saw.Equal("importer seed: exit status", 0, first.Exit.Code)
		saw.True(strings.Contains(first.Stdout, "2"), "importer seed: what it says", "how many products it wrote, 2", first.Stdout)
		if err := saw.stock(ctx, w, 0); err != nil {
			return err
		}
		state, err := shop.ReadState(ctx, w.Redis)
		if err != nil {
			return err
		}
		for _, p := range w.Data.Opening {
			saw.Equal("title of "+p.SKU, p.Title, state.Titles[p.SKU])
		}

		// Stock that is not the catalogue's, so that a second writing would show.
		changed := w.Data.Opening[0]
		changed.Quantity++
		if err := w.SetProduct(ctx, changed); err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		again, err := w.Run(ctx, "seed", "seed")
		if err != nil {
			return err
		}
		saw.Equal("importer seed, again: exit status", 0, again.Exit.Code)
		saw.Note("first: %q, then: %q", strings.TrimSpace(first.Stdout), strings.TrimSpace(again.Stdout))
		return saw.Unchanged(ctx, w, before)
	})
}
