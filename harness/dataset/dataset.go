// Package dataset holds what a run imports: an opening catalogue and one
// shipment, with a model of the stock that must come out. The harness judges by
// this model and never by files of the program that it judges.
package dataset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Product is a line of the catalogue, or a row of the shipment; in a row the
// quantity is what is added.
type Product struct {
	SKU      string `json:"sku"`
	Title    string `json:"title"`
	Quantity int    `json:"quantity"`
}

// Data is one data set.
type Data struct {
	Name     string    `json:"name"` // teaching or seeded
	Opening  []Product `json:"opening"`
	Shipment []Product `json:"shipment"`
}

// Teaching is the data of the lessons: the numbers that a learner knows.
func Teaching() Data {
	return Data{
		Name: "teaching",
		Opening: []Product{
			{"lamp", "Desk lamp", 8},
			{"notebook", "Notebook", 3},
		},
		Shipment: []Product{
			{"lamp", "Desk lamp", 12},
			{"notebook", "Notebook", 5},
			{"pencil", "Pencil", 4},
		},
	}
}

// Stock maps a sku to its quantity. A product that is not there has no entry.
type Stock map[string]int

// After is the stock once the shipment has arrived so many times.
func (d Data) After(arrivals int) Stock {
	stock := Stock{}
	for _, p := range d.Opening {
		stock[p.SKU] = p.Quantity
	}
	if arrivals > 0 {
		for _, p := range d.Shipment {
			stock[p.SKU] += arrivals * p.Quantity
		}
	}
	return stock
}

// Title is the title of a product, the same in the catalogue and in a shipment; empty
// if the data have no such product.
func (d Data) Title(sku string) string {
	for _, list := range [][]Product{d.Shipment, d.Opening} {
		for _, p := range list {
			if p.SKU == sku {
				return p.Title
			}
		}
	}
	return ""
}

// Arrivals is the number of times that the shipment has arrived if the stock is
// this one; ok is false if no number of whole arrivals gives this stock.
func (d Data) Arrivals(stock Stock) (n int, ok bool) {
	first := d.Shipment[0]
	n = (stock[first.SKU] - d.After(0)[first.SKU]) / first.Quantity
	return n, n >= 0 && maps.Equal(stock, d.After(n))
}

// Line writes a stock as the lessons do: the quantities of the shipment's
// products in its order, a hyphen for one that is not there, such as 8/3/-.
// Products that belong to nobody are named behind it.
func (d Data) Line(stock Stock) string {
	var numbers []string
	known := map[string]bool{}
	for _, list := range [][]Product{d.Shipment, d.Opening} {
		for _, p := range list {
			if known[p.SKU] {
				continue
			}
			known[p.SKU] = true
			if quantity, ok := stock[p.SKU]; ok {
				numbers = append(numbers, fmt.Sprint(quantity))
			} else {
				numbers = append(numbers, "-")
			}
		}
	}
	line := strings.Join(numbers, "/")
	for _, sku := range slices.Sorted(maps.Keys(stock)) {
		if !known[sku] {
			line += fmt.Sprintf(" %s=%d", sku, stock[sku])
		}
	}
	return line
}
