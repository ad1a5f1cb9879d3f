package promise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// badCSV lets shipments arrive that the contract refuses. Each starts with a good
// row, which must not be applied either.
func badCSV(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const head, good = "sku,title,quantity\n", "lamp,Desk lamp,12\n"
	bad := []struct{ what, csv, line string }{
		{"a quantity with an exponent", head + good + "notebook,Notebook,1e3\n", "3"},
		{"a quantity of 0", head + good + "notebook,Notebook,0\n", "3"},
		{"a quantity with a plus sign", head + good + "notebook,Notebook,+5\n", "3"},
		{"a quantity over the limit", head + good + "notebook,Notebook,1000001\n", "3"},
		{"a sku that stands twice", head + good + "pencil,Pencil,4\n" + good, "4"},
		{"a sku in capitals", head + good + "NOTEBOOK,Notebook,5\n", "3"},
		{"a line break in a title", head + good + "notebook,\"Note\nbook\",5\n", "3"},
		{"bytes that are no UTF-8", head + good + "notebook,Note\xffbook,5\n", "3"},
		{"a quantity in hexadecimal", head + good + "notebook,Notebook,0x10\n", "3"},
		{"a quantity with an underscore", head + good + "notebook,Notebook,1_000\n", "3"},
		{"an empty title", head + good + "notebook,,5\n", "3"},
		{"a tab in a title", head + good + "notebook,Note\tbook,5\n", "3"},
		{"a title of 201 characters", head + good + "notebook," + strings.Repeat("ö", 201) + ",5\n", "3"},
		{"a sku of 65 characters", head + good + strings.Repeat("n", 65) + ",Notebook,5\n", "3"},
		{"a row of two fields", head + good + "notebook,5\n", "3"},
		{"another header", "SKU,Title,Quantity\n" + good, "1"},
		{"no rows", head, "1"},
		{"a sku that begins with a hyphen", head + good + "-notebook,Notebook,5\n", "3"},
		{"a sku with an underscore", head + good + "note_book,Notebook,5\n", "3"},
		{"more than 64 KiB", head + largeRows(), ""},
		{"more than 100 rows", head + manyRows(101), "102"},
	}
	dir, remove, err := lab.OwnData()
	if err != nil {
		return err
	}
	defer remove()
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		if _, err := w.Work(ctx, "worker", world.Settings{"IMPORTER_DATA_DIR": dir}); err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		for i, c := range bad {
			// One job at a time, so that no worker reads while the file is written.
			if err := os.WriteFile(filepath.Join(dir, dataset.ShipmentFile), []byte(c.csv), 0o644); err != nil {
				return fmt.Errorf("write a shipment: %w", err)
			}
			batch := fmt.Sprintf("bad-csv-%d", i+1)
			if _, err := server.Accept(ctx, batch); err != nil { // the server does not read the file
				return err
			}
			job, err := w.UntilEnded(ctx, server, batch)
			if err != nil {
				return fmt.Errorf("%s: %w", c.what, err)
			}
			saw.Equal(c.what+": state of the job", "failed", job.State)
			saw.Equal(c.what+": attempts", 1, job.Attempts)
			expected, named := "the file's name", strings.Contains(job.Error, dataset.ShipmentFile)
			if c.line != "" { // a file that is too large is so at no line
				expected, named = expected+" and line "+c.line, named && names(job.Error, c.line)
			}
			saw.True(named, c.what+": error of the job", expected, job.Error)
			saw.Note("%s: %q", c.what, job.Error)
		}
		return saw.Unchanged(ctx, w, before)
	})
}

// names says whether the text speaks of this line and of no other one.
func names(text, line string) bool {
	found := regexp.MustCompile(`(?i)line\D{0,3}(\d+)`).FindAllStringSubmatch(text, -1)
	return len(found) > 0 && found[0][1] == line
}

func manyRows(n int) string {
	var rows strings.Builder
	for i := range n {
		fmt.Fprintf(&rows, "sku-%d,Thing %d,1\n", i, i)
	}
	return rows.String()
}

// largeRows are 100 good rows that are too large together.
func largeRows() string {
	var rows strings.Builder
	for i := range 100 {
		fmt.Fprintf(&rows, "sku-%d,%s,1\n", i, strings.Repeat("🧰", 200))
	}
	return rows.String()
}

// goodCSV lets a shipment arrive that looks odd and is right: a byte order mark,
// DOS line ends, quotes, other scripts, an empty last line.
func goodCSV(ctx context.Context, lab *world.Lab, saw *Saw) error {
	odd := dataset.Data{Name: "odd", Opening: lab.Data.Opening, Shipment: []dataset.Product{
		{SKU: "lamp", Title: "Desk lamp", Quantity: 12}, {SKU: "notebook", Title: "Notebook", Quantity: 1_000_000 - 3},
		{SKU: "brush", Title: `Brush, "small"`, Quantity: 1}, {SKU: "0", Title: "Тетрадь / ノート", Quantity: 7},
	}}
	content := "\xef\xbb\xbf\"sku\",\"title\",\"quantity\"\r\nlamp,Desk lamp,12\r\nnotebook,\"Notebook\",999997\r\n" +
		"brush,\"Brush, \"\"small\"\"\",1\r\n0,Тетрадь / ノート,7\r\n\r\n"
	dir, remove, err := lab.OwnData()
	if err != nil {
		return err
	}
	defer remove()
	if err := os.WriteFile(filepath.Join(dir, dataset.ShipmentFile), []byte(content), 0o644); err != nil {
		return fmt.Errorf("write a shipment: %w", err)
	}
	return lab.In(ctx, func(w *world.World) error {
		w.Data = odd
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		if _, err := w.Work(ctx, "worker", world.Settings{"IMPORTER_DATA_DIR": dir}); err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		state, err := shop.ReadState(ctx, w.Redis)
		if err != nil {
			return err
		}
		for _, p := range odd.Shipment {
			saw.Equal("title of "+p.SKU, p.Title, state.Titles[p.SKU])
		}
		return saw.stock(ctx, w, 1)
	})
}

func withReason(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}
