package promise

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// catalogueShown: the shop shows the stock in the order of its sku, from its copy while
// the generation is the same, and at once anew when it is not.
func catalogueShown(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		// A product that Redis hands out last, that belongs first, and whose title does not.
		first := dataset.Product{SKU: "aaa", Title: "Zebra", Quantity: 1}
		if err := w.SetProduct(ctx, first); err != nil {
			return err
		}
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		// The copy may have been made before anybody asked.
		showsCatalogue(ctx, server, saw, lab.Data.Opening, first, 0, "hit or miss")
		showsCatalogue(ctx, server, saw, lab.Data.Opening, first, 0, "hit")
		for generation := 1; generation <= 5 && len(saw.Findings) == 0; generation++ {
			first.Quantity++
			if err := w.SetProduct(ctx, first); err != nil {
				return err
			}
			if err := w.Redis.Incr(ctx, shop.GenerationKey).Err(); err != nil {
				return fmt.Errorf("raise the generation: %w", err)
			}
			showsCatalogue(ctx, server, saw, lab.Data.Opening, first, generation, "hit or miss")
		}
		few(saw)
		saw.Note("%d products were shown sorted by sku, from the copy for as long as the generation was the same, and anew after each of 5 changes", len(lab.Data.Opening)+1)
		return nil
	})
}

// showsCatalogue asks for the catalogue and sees that it is this one, and that X-Cache
// is what was allowed and is true: what was read from Redis for it was no hit.
func showsCatalogue(ctx context.Context, server *world.Server, saw *Saw, opening []dataset.Product, first dataset.Product, generation int, cache string) {
	before := len(server.StockCommands())
	seen := get(ctx, server, "/api/products")
	for tries := 0; seen.Status == http.StatusServiceUnavailable && tries < 5; tries++ { // not now
		before = len(server.StockCommands())
		seen = get(ctx, server, "/api/products")
	}
	told := seen.Header.Get("X-Cache")
	allowed := seen.is(http.StatusOK, jsonType) && told != "" && slices.Contains(strings.Split(cache, " or "), told)
	seen.must(saw, allowed, "GET /api/products", "200 application/json, X-Cache: "+cache)
	for _, command := range server.StockCommands()[before:] {
		read := slices.Contains(readsStock, command.Name()) && command.Touches(shop.ProductsKey)
		saw.True(told != "hit" || !read, "X-Cache", "miss, because "+command.Name()+" "+shop.ProductsKey+" was sent to Redis for this answer", told)
	}
	expected := catalogue(append(slices.Clone(opening), first), generation)
	saw.True(gocmp.Equal(expected, seen.object()), fmt.Sprintf("catalogue shown (X-Cache: %s)", told),
		fmt.Sprintf("the stock, sorted by sku, of generation %d", generation),
		"it differs (- expected, + seen):\n"+gocmp.Diff(expected, seen.object()))
}

// readsStock are the commands that read the stock, whatever their answer is used for.
// A script is not among them: it can be the very thing that compares generations.
var readsStock = []string{"HGETALL", "HVALS", "HMGET", "HGET", "HSCAN"}

// catalogue is the answer that shows these products.
func catalogue(products []dataset.Product, generation int) map[string]any {
	slices.SortFunc(products, func(a, b dataset.Product) int { return cmp.Compare(a.SKU, b.SKU) })
	var list []any
	for _, p := range products {
		list = append(list, map[string]any{"sku": p.SKU, "title": p.Title, "quantity": float64(p.Quantity)})
	}
	return map[string]any{"generation": float64(generation), "products": list}
}
