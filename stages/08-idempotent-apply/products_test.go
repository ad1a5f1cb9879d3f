package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSeed(t *testing.T) {
	s := newStore(t)
	var out bytes.Buffer
	must(t, seed(t.Context(), s.config(t), &out))
	if diff := cmp.Diff(map[string]int{"lamp": 8, "notebook": 3}, s.stock(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := s.generation(t); got != "0" {
		t.Errorf("generation %q, want 0", got)
	}
	s.apply(t, "a", shipmentA)
	before := s.dump(t)
	must(t, seed(t.Context(), s.config(t), &out))
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("a second seed wrote something (-before +after)\n%s", diff)
	}
	if diff := cmp.Diff("seeded 2 products\nseeded 0 products: there is stock already\n", out.String()); diff != "" {
		t.Errorf("output (-want +got)\n%s", diff)
	}
}

// A generation that is there already is kept: a cache somewhere may know it.
func TestSeedKeepsTheGeneration(t *testing.T) {
	s := newStore(t)
	must(t, s.Set(t.Context(), generationKey, "7", 0).Err())
	s.seed(t)
	if got := s.generation(t); got != "7" {
		t.Errorf("generation %q, want 7", got)
	}
}

func TestSeedAtOnce(t *testing.T) {
	s := newStore(t)
	cfg := s.config(t)
	outs := make([]bytes.Buffer, 4)
	var all sync.WaitGroup
	for i := range outs {
		all.Go(func() {
			if err := seed(t.Context(), cfg, &outs[i]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	wrote := 0
	for i := range outs {
		wrote += strings.Count(outs[i].String(), "seeded 2")
	}
	if wrote != 1 {
		t.Errorf("%d seeds wrote, want 1", wrote)
	}
}

func TestSeedRefusesABadCatalogue(t *testing.T) {
	s := newStore(t)
	cfg := s.config(t)
	for name, content := range map[string]string{
		"not JSON":          `[{"sku":"lamp"`,
		"no product":        `[]`,
		"bad sku":           `[{"sku":"Lamp","title":"Lamp","quantity":1}]`,
		"no title":          `[{"sku":"lamp","title":"","quantity":1}]`,
		"negative quantity": `[{"sku":"lamp","title":"Lamp","quantity":-1}]`,
		"over the limit":    `[{"sku":"lamp","title":"Lamp","quantity":1000001}]`,
		"fraction":          `[{"sku":"lamp","title":"Lamp","quantity":1.5}]`,
		"bad second":        `[{"sku":"lamp","title":"Lamp","quantity":1},{"sku":"","title":"Lamp","quantity":1}]`,
	} {
		must(t, os.WriteFile(filepath.Join(cfg.dataDir, "catalog.json"), []byte(content), 0o644))
		var out bytes.Buffer
		if err := seed(t.Context(), cfg, &out); err == nil || !strings.Contains(err.Error(), "catalog.json") || out.Len() != 0 {
			t.Errorf("%s: %v, output %q; want an error that names the file", name, err, &out)
		}
	}
	if diff := cmp.Diff(map[string]any{}, s.dump(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The copy is good for one generation, and only a change of stock ends it.
func TestShopReadsThroughACopy(t *testing.T) {
	s := newStore(t)
	front := &shop{rdb: s.client(t)}
	read := func(what string, wantHit bool, wantGeneration int, wantStock map[string]int) {
		t.Helper()
		view, hit, err := front.read(t.Context())
		must(t, err)
		got := map[string]int{}
		for i, p := range view.Products {
			got[p.SKU] = p.Quantity
			if i > 0 && view.Products[i-1].SKU >= p.SKU {
				t.Errorf("%s: not sorted by sku: %v", what, view.Products)
			}
		}
		if hit != wantHit || view.Generation != wantGeneration || !cmp.Equal(wantStock, got) {
			t.Errorf("%s: hit %v, generation %d, stock %v; want %v, %d, %v", what, hit, view.Generation, got, wantHit, wantGeneration, wantStock)
		}
	}
	read("nothing", false, 0, map[string]int{})
	read("nothing again", false, 0, map[string]int{}) // without a generation nothing says that the copy is good
	s.seed(t)
	read("seeded", false, 0, map[string]int{"lamp": 8, "notebook": 3})
	read("seeded", true, 0, map[string]int{"lamp": 8, "notebook": 3})
	s.apply(t, "a", shipmentA)
	read("applied", false, 1, map[string]int{"lamp": 20, "notebook": 8, "pencil": 4})
	read("applied", true, 1, map[string]int{"lamp": 20, "notebook": 8, "pencil": 4})
	s.apply(t, "a", shipmentA)
	read("repeated", true, 1, map[string]int{"lamp": 20, "notebook": 8, "pencil": 4})
}

// Damage is an error and never an empty shop.
func TestShopReportsDamage(t *testing.T) {
	for name, command := range map[string][]any{
		"stock is a string":      {"SET", productsKey, "x"},
		"product is not JSON":    {"HSET", productsKey, "lamp", "x"},
		"quantity is a string":   {"HSET", productsKey, "lamp", `{"sku":"lamp","title":"Lamp","quantity":"8"}`},
		"generation is a word":   {"SET", generationKey, "x"},
		"generation is a hash":   {"HSET", generationKey, "x", "1"},
		"generation is a number": {"SET", generationKey, "1.5"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			must(t, s.Do(t.Context(), command...).Err())
			if view, _, err := (&shop{rdb: s.client(t)}).read(t.Context()); err == nil {
				t.Errorf("read %+v, want an error", view)
			}
		})
	}
}
