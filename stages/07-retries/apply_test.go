package main

import (
	"encoding/json"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

var shipment = []row{{"lamp", "Desk lamp", 12}, {"notebook", "Notebook", 5}, {"pencil", "Pencil", 4}}

// openShop has 8 lamps and 3 notebooks.
func openShop(t *testing.T) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	server := miniredis.RunT(t)
	server.HSet(productsKey, "lamp", `{"sku":"lamp","title":"Desk lamp","quantity":8}`)
	server.HSet(productsKey, "notebook", `{"sku":"notebook","title":"Notebook","quantity":3}`)
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr(), MaxRetries: -1})
	t.Cleanup(func() { rdb.Close() })
	return server, rdb
}

func quantities(t *testing.T, server *miniredis.Miniredis) map[string]int {
	t.Helper()
	fields, err := server.HKeys(productsKey)
	if err != nil {
		t.Fatal(err)
	}
	stock := map[string]int{}
	for _, sku := range fields {
		var p product
		if err := json.Unmarshal([]byte(server.HGet(productsKey, sku)), &p); err != nil {
			p.Quantity = -1
		}
		stock[sku] = p.Quantity
	}
	return stock
}

// Once it is right, and again it is wrong: this stage does not know a repeat from
// an arrival, and its test says so for as long as that is so.
func TestApplyAddsEveryTime(t *testing.T) {
	server, rdb := openShop(t)
	for _, want := range []map[string]int{
		{"lamp": 20, "notebook": 8, "pencil": 4},
		{"lamp": 32, "notebook": 13, "pencil": 8},
	} {
		got, err := apply(t.Context(), rdb, "batch-a", shipment)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(result{3, "batch-a"}, got); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want, quantities(t, server)); diff != "" {
			t.Errorf("stock (-want +got):\n%s", diff)
		}
	}
	if got, _ := server.Get(generationKey); got != "2" {
		t.Errorf("generation %s, want 2", got)
	}
}

// A failure in the middle leaves the rows before it.
func TestApplyStopsHalfWay(t *testing.T) {
	server, rdb := openShop(t)
	server.HSet(productsKey, "notebook", "{")
	if _, err := apply(t.Context(), rdb, "batch-a", shipment); err == nil {
		t.Fatal("a stock that cannot be read was no error")
	}
	if diff := cmp.Diff(map[string]int{"lamp": 20, "notebook": -1}, quantities(t, server)); diff != "" {
		t.Errorf("stock (-want +got):\n%s", diff)
	}
	if server.Exists(generationKey) {
		t.Error("the generation was raised")
	}
}
