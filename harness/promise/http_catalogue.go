package promise

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
)

// catalogueShown: the shop shows the stock in the order of its sku, the first
// time from Redis and then from its copy.
func catalogueShown(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		// A product that Redis hands out last and that belongs first.
		first := dataset.Product{SKU: "aaa", Title: "Aardvark", Quantity: 1}
		if err := w.SetProduct(ctx, first); err != nil {
			return err
		}
		expected := catalogue(append(slices.Clone(lab.Data.Opening), first))
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		for _, cache := range []string{"miss", "hit"} {
			seen := get(ctx, server, "/api/products")
			seen.must(saw, seen.is(http.StatusOK, jsonType) && seen.Header.Get("X-Cache") == cache,
				"GET /api/products", "200 application/json, X-Cache: "+cache)
			saw.True(gocmp.Equal(expected, seen.object()), "catalogue shown (X-Cache: "+cache+")", "the stock, sorted by sku, of generation 0",
				"it differs (- expected, + seen):\n"+gocmp.Diff(expected, seen.object()))
		}
		saw.Note("%d products were shown sorted by sku, first from Redis and then from the copy", len(lab.Data.Opening)+1)
		return nil
	})
}

// catalogue is the answer that shows these products.
func catalogue(products []dataset.Product) map[string]any {
	slices.SortFunc(products, func(a, b dataset.Product) int { return cmp.Compare(a.SKU, b.SKU) })
	var list []any
	for _, p := range products {
		list = append(list, map[string]any{"sku": p.SKU, "title": p.Title, "quantity": float64(p.Quantity)})
	}
	return map[string]any{"generation": 0.0, "products": list}
}
