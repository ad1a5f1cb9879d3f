package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"
)

// The names that producer, worker and whoever watches must share.
const (
	productsKey   = "importer:products"   // hash: sku -> JSON of product
	generationKey = "importer:generation" // rises by one with each applied arrival
)

// What a product may be, in the catalogue and in a shipment.
const (
	maxTitle    = 200 // characters
	maxQuantity = 1_000_000
)

var skuPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

func validTitle(title string) bool {
	n := utf8.RuneCountInString(title)
	return utf8.ValidString(title) && n >= 1 && n <= maxTitle && !strings.ContainsFunc(title, unicode.IsControl)
}

var seedScript = newScript("seed")

// product is what the shop has of one sku.
type product struct {
	SKU      string `json:"sku"`
	Title    string `json:"title"`
	Quantity int    `json:"quantity"`
}

// catalogue is one consistent view of the stock.
type catalogue struct {
	Generation int       `json:"generation"`
	Products   []product `json:"products"` // sorted by sku
}

// shop reads the stock through a copy that is good for one generation: a
// change of stock raises the generation, and that alone makes the copy stale.
// Nothing has to be invalidated, and a lost message can do no harm.
type shop struct {
	rdb    *redis.Client
	cached atomic.Pointer[catalogue]
}

// read returns the catalogue and whether the copy could be used.
func (s *shop) read(ctx context.Context) (view catalogue, hit bool, err error) {
	generation, err := s.rdb.Get(ctx, generationKey).Int()
	if err != nil && !errors.Is(err, redis.Nil) {
		return view, false, fmt.Errorf("read %s: %w", generationKey, err)
	}
	counted := err == nil // without a generation nothing would tell when a copy is stale
	if kept := s.cached.Load(); counted && kept != nil && kept.Generation == generation {
		return *kept, true, nil
	}
	if view, err = readCatalogue(ctx, s.rdb); err != nil {
		return view, false, err
	}
	if counted {
		s.cached.Store(&view)
	}
	return view, false, nil
}

// readCatalogue reads generation and stock in one transaction: between two
// separate reads an import could slip in, and its stock would be kept under the
// generation before it.
func readCatalogue(ctx context.Context, rdb *redis.Client) (catalogue, error) {
	var generation *redis.StringCmd
	var stock *redis.MapStringStringCmd
	_, err := rdb.TxPipelined(ctx, func(tx redis.Pipeliner) error {
		generation, stock = tx.Get(ctx, generationKey), tx.HGetAll(ctx, productsKey)
		return nil
	})
	if errors.Is(err, redis.Nil) { // no generation yet; what became of the stock is still to be asked
		err = stock.Err()
	}
	if err != nil {
		return catalogue{}, fmt.Errorf("read catalogue: %w", err)
	}
	view := catalogue{Products: []product{}}
	if text := generation.Val(); text != "" {
		if view.Generation, err = strconv.Atoi(text); err != nil {
			return catalogue{}, fmt.Errorf("%s is %q, not a whole number", generationKey, text)
		}
	}
	for sku, raw := range stock.Val() {
		var p product
		if err := json.Unmarshal([]byte(raw), &p); err != nil {
			return catalogue{}, fmt.Errorf("%s, field %q: %w", productsKey, sku, err)
		}
		view.Products = append(view.Products, p)
	}
	slices.SortFunc(view.Products, func(a, b product) int { return cmp.Compare(a.SKU, b.SKU) })
	return view, nil
}

// seed writes the opening catalogue if there is no stock, and says what it did.
func seed(ctx context.Context, cfg config, stdout io.Writer) error {
	path := filepath.Join(cfg.dataDir, "catalog.json")
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the opening catalogue: %w", err)
	}
	var products []product
	if err := json.Unmarshal(content, &products); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var args []any
	for i, p := range products {
		if !skuPattern.MatchString(p.SKU) || !validTitle(p.Title) || p.Quantity < 0 || p.Quantity > maxQuantity {
			return fmt.Errorf("%s: product %d is %+v; allowed are a sku and a title as in a shipment, and a quantity from 0 to %d", path, i+1, p, maxQuantity)
		}
		raw, err := json.Marshal(p)
		if err != nil {
			return fmt.Errorf("%s: product %d: %w", path, i+1, err)
		}
		args = append(args, p.SKU, raw)
	}
	if len(args) == 0 {
		return fmt.Errorf("%s: there is no product in it", path)
	}
	rdb := connect(cfg, commandTimeout, 1)
	defer rdb.Close()
	written, err := seedScript.run(ctx, rdb, []string{productsKey, generationKey}, args...)
	if err != nil {
		return err
	}
	if written == int64(0) {
		fmt.Fprintln(stdout, "seeded 0 products: there is stock already")
		return nil
	}
	fmt.Fprintf(stdout, "seeded %d products\n", written)
	return nil
}
