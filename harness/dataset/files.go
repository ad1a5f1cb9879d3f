package dataset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// The files a program looks for in its data folder.
const (
	CatalogFile  = "catalog.json"
	ShipmentFile = "shipment-a.csv"
)

// Catalog is the content of catalog.json.
func (d Data) Catalog() ([]byte, error) {
	content, err := json.MarshalIndent(d.Opening, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s of the %s data: %w", CatalogFile, d.Name, err)
	}
	return append(content, '\n'), nil
}

// CSV is the content of shipment-a.csv.
func (d Data) CSV() ([]byte, error) {
	var content bytes.Buffer
	w := csv.NewWriter(&content)
	records := [][]string{{"sku", "title", "quantity"}}
	for _, p := range d.Shipment {
		records = append(records, []string{p.SKU, p.Title, strconv.Itoa(p.Quantity)})
	}
	if err := w.WriteAll(records); err != nil {
		return nil, fmt.Errorf("encode %s of the %s data: %w", ShipmentFile, d.Name, err)
	}
	return content.Bytes(), nil
}

// Write puts both files into an existing folder.
func (d Data) Write(dir string) error {
	for name, content := range map[string]func() ([]byte, error){CatalogFile: d.Catalog, ShipmentFile: d.CSV} {
		bytes, err := content()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), bytes, 0o644); err != nil {
			return fmt.Errorf("write the %s data: %w", d.Name, err)
		}
	}
	return nil
}
