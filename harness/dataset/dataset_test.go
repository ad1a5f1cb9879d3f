package dataset_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/dataset"
)

// The lesson's numbers.
func TestTeachingStock(t *testing.T) {
	data := dataset.Teaching()
	for arrivals, want := range []string{"8/3/-", "20/8/4", "32/13/8", "44/18/12"} {
		if got := data.Line(data.After(arrivals)); got != want {
			t.Errorf("after %d arrivals: %s, want %s", arrivals, got, want)
		}
	}
}

// The workbook's data folder, which learners use by hand, holds the same data.
func TestTheDataFolderIsTheTeachingData(t *testing.T) {
	data := dataset.Teaching()
	dir := t.TempDir()
	if err := data.Write(dir); err != nil {
		t.Fatal(err)
	}
	csv := func(dir string) string {
		content, err := os.ReadFile(filepath.Join(dir, dataset.ShipmentFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	if diff := cmp.Diff(csv(dir), csv("../../data")); diff != "" {
		t.Errorf("shipment (-harness +data/):\n%s", diff)
	}
	content, err := os.ReadFile("../../data/" + dataset.CatalogFile)
	if err != nil {
		t.Fatal(err)
	}
	var opening []dataset.Product
	if err := json.Unmarshal(content, &opening); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(data.Opening, opening); diff != "" {
		t.Errorf("catalogue (-harness +data/):\n%s", diff)
	}
}

func TestArrivals(t *testing.T) {
	data := dataset.Teaching()
	for _, c := range []struct {
		stock dataset.Stock
		n     int
		ok    bool
	}{
		{data.After(0), 0, true}, {data.After(3), 3, true},
		{dataset.Stock{"lamp": 20, "notebook": 3}, 1, false},
		{dataset.Stock{"lamp": 20, "notebook": 8}, 1, false},
		{dataset.Stock{}, 0, false},
		{dataset.Stock{"lamp": -4, "notebook": 3}, -1, false},
	} {
		if n, ok := data.Arrivals(c.stock); n != c.n || ok != c.ok {
			t.Errorf("%v: %d %v, want %d %v", c.stock, n, ok, c.n, c.ok)
		}
	}
}

// Seeded data must be lawful for every seed, and never the lesson's.
func TestSeeded(t *testing.T) {
	if diff := cmp.Diff(dataset.Seeded(7), dataset.Seeded(7)); diff != "" {
		t.Errorf("the same seed gave other data:\n%s", diff)
	}
	if cmp.Equal(dataset.Seeded(7), dataset.Seeded(8)) {
		t.Error("another seed gave the same data")
	}
	for seed := range uint64(500) {
		data := dataset.Seeded(seed)
		skus := map[string]bool{}
		for _, p := range data.Shipment {
			if skus[p.SKU] || p.Quantity < 1 || 3*p.Quantity > 1_000_000 {
				t.Fatalf("seed %d: row %+v", seed, p)
			}
			skus[p.SKU] = true
		}
		if n, ok := data.Arrivals(data.After(2)); n != 2 || !ok {
			t.Fatalf("seed %d: %d %v arrivals of 2", seed, n, ok)
		}
		var both, onlyStock, onlyArrives bool
		for _, p := range data.Opening {
			both = both || skus[p.SKU]
			onlyStock = onlyStock || !skus[p.SKU]
			delete(skus, p.SKU)
		}
		onlyArrives = len(skus) > 0
		if !both || !onlyStock || !onlyArrives {
			t.Fatalf("seed %d has no product of each kind: %+v", seed, data)
		}
	}
}
