package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The bounds of a shipment. They are small on purpose: applying one blocks
// Redis for everybody else while the script runs.
const (
	maxRows     = 100
	maxFileSize = 64 << 10 // bytes
)

// row is one line of a shipment: so many more of this product.
type row struct {
	sku      string
	title    string
	quantity int // 1 to maxQuantity
}

var (
	header = []string{"sku", "title", "quantity"}
	digits = regexp.MustCompile(`^[0-9]+$`)
)

// loadShipment reads the file behind a dataset's name. The name was checked
// against the contract before, so it can name nothing else.
func loadShipment(dataDir, dataset string) ([]row, error) {
	name := dataset + ".csv"
	file, err := os.Open(filepath.Join(dataDir, name))
	if err != nil {
		return nil, fmt.Errorf("open shipment: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("read shipment: %w", err)
	}
	return parseShipment(name, content)
}

// parseShipment reads a whole shipment or refuses the whole of it; every
// refusal (code bad_csv) names file, line and column, or for the file as a whole
// what is wrong with it: size,
// header, fields, sku, title, quantity, duplicate_sku, rows, syntax.
func parseShipment(name string, content []byte) ([]row, error) {
	bad := func(line int, column, format string, args ...any) error {
		return refuse("bad_csv", "%s line %d, %s: %s", name, line, column, fmt.Sprintf(format, args...))
	}
	if len(content) > maxFileSize {
		return nil, bad(1, "size", "the file is larger than %d bytes", maxFileSize)
	}
	// A spreadsheet's byte order mark must not stick to the first column's name.
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	r := csv.NewReader(bytes.NewReader(content))
	r.FieldsPerRecord = -1 // we name the line ourselves

	if first, err := r.Read(); err != nil || !slices.Equal(first, header) {
		return nil, bad(1, "header", "the first line must be %s", strings.Join(header, ","))
	}
	var rows []row
	lines := map[string]int{} // sku to the line it stands on
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		var parse *csv.ParseError
		if errors.As(err, &parse) {
			return nil, bad(parse.Line, "syntax", "%v", parse.Err)
		}
		if err != nil {
			return nil, fmt.Errorf("read shipment: %w", err)
		}
		line, _ := r.FieldPos(0)
		if len(record) != len(header) {
			return nil, bad(line, "fields", "there are %d fields, %d are expected", len(record), len(header))
		}
		sku, title, quantity := record[0], record[1], record[2]
		n, _ := strconv.Atoi(quantity) // too many digits give the largest int, which is over the bound too
		switch {
		case !skuPattern.MatchString(sku):
			return nil, bad(line, "sku", "%q; allowed are 1 to 64 small letters, digits and hyphens, no hyphen first", sku)
		case !validTitle(title):
			return nil, bad(line, "title", "%q; allowed are 1 to %d characters of UTF-8 text without control characters", title, maxTitle)
		case !digits.MatchString(quantity) || n < 1 || n > maxQuantity:
			return nil, bad(line, "quantity", "%q; allowed is a whole number from 1 to %d, digits only", quantity, maxQuantity)
		case lines[sku] != 0:
			// All rows are computed from the stock before the file, so a second
			// row for one product would lose the first.
			return nil, bad(line, "duplicate_sku", "%q stands on line %d already", sku, lines[sku])
		case len(rows) == maxRows:
			return nil, bad(line, "rows", "there are more than %d rows", maxRows)
		}
		lines[sku] = line
		rows = append(rows, row{sku: sku, title: title, quantity: n})
	}
	if len(rows) == 0 {
		return nil, bad(1, "rows", "the shipment is empty")
	}
	return rows, nil
}
