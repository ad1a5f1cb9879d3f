package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// Every file of testdata/csv must be read, or refused, as its index says.
func TestShipmentFiles(t *testing.T) {
	type want struct {
		Rows   int
		Stock  map[string]int
		Title  string
		Refuse string
		Line   int
	}
	content, err := os.ReadFile("testdata/csv/index.json")
	must(t, err)
	var index map[string]struct {
		Want want
		Why  string
	}
	must(t, json.Unmarshal(content, &index))
	files, err := filepath.Glob("testdata/csv/*.csv")
	must(t, err)
	if len(files) != len(index) || len(files) == 0 {
		t.Fatalf("%d files, %d in the index", len(files), len(index))
	}
	for name, c := range index {
		t.Run(name, func(t *testing.T) {
			rows, err := loadShipment("testdata/csv", name)
			if c.Want.Refuse != "" {
				wantBadCSV(t, err, name+".csv", c.Want.Line, c.Want.Refuse)
				return
			}
			must(t, err)
			got := want{Rows: len(rows), Stock: map[string]int{}}
			for _, r := range rows {
				got.Stock[r.sku] = r.quantity
			}
			if c.Want.Title != "" {
				got.Title = rows[0].title
			}
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("%s (-want +got)\n%s", c.Why, diff)
			}
		})
	}
}

// wantBadCSV wants a refusal that names file, line and column (or what else is
// wrong with the file).
func wantBadCSV(t *testing.T, err error, file string, line int, what string) {
	t.Helper()
	if code := codeOf(t, err); code != "bad_csv" {
		t.Fatalf("code %q (%v), want bad_csv", code, err)
	}
	if prefix := fmt.Sprintf("bad_csv: %s line %d, %s: ", file, line, what); !strings.HasPrefix(err.Error(), prefix) {
		t.Errorf("%q, want it to begin %q", err, prefix)
	}
}

const head = "sku,title,quantity\n"

// numbered is a shipment of n rows.
func numbered(n int) string {
	var text strings.Builder
	text.WriteString(head)
	for i := range n {
		fmt.Fprintf(&text, "sku-%d,Title %d,1\n", i, i)
	}
	return text.String()
}

// sized is a good shipment of exactly that many bytes.
func sized(size int) string {
	text := head
	for i := 0; ; i++ {
		if left := size - len(text); left <= 800 { // the last row takes it all
			return text + "sku-last," + filled(left-len("sku-last,,1\n")) + ",1\n"
		}
		text += fmt.Sprintf("sku-%03d,%s,1\n", i, strings.Repeat("😀", 190))
	}
}

// filled is text of so many bytes in as few characters as can be.
func filled(size int) string {
	return strings.Repeat("😀", size/4) + strings.Repeat("x", size%4)
}

func TestShipmentAccepted(t *testing.T) {
	one := func(title string, quantity int) []row { return []row{{"lamp", title, quantity}} }
	tests := []struct {
		name, content string
		want          []row
	}{
		{"quantity 1", head + "lamp,Lamp,1\n", one("Lamp", 1)},
		{"quantity at its bound", head + "lamp,Lamp,1000000\n", one("Lamp", 1_000_000)},
		{"leading zeros", head + "lamp,Lamp,007\n", one("Lamp", 7)},
		{"many leading zeros", head + "lamp,Lamp," + strings.Repeat("0", 40) + "7\n", one("Lamp", 7)},
		{"no line end at the end", head + "lamp,Lamp,1", one("Lamp", 1)},
		{"a lone CR at the very end", head + "lamp,Lamp,1\r", one("Lamp", 1)},
		{"CRLF at the end", head + "lamp,Lamp,1\r\n", one("Lamp", 1)},
		{"blank lines between rows", head + "\n\r\nlamp,Lamp,1\n\n", one("Lamp", 1)},
		{"everything in quotes", "\"sku\",\"title\",\"quantity\"\n\"lamp\",\"Lamp\",\"1\"\n", one("Lamp", 1)},
		{"quotes in quotes", head + `lamp,"""",1` + "\n", one(`"`, 1)},
		{"blanks belong to the title", head + "lamp,  Lamp ,1\n", one("  Lamp ", 1)},
		{"title of 200 characters", head + "lamp," + strings.Repeat("ж", 200) + ",1\n", one(strings.Repeat("ж", 200), 1)},
		{"title of 200 emoji", head + "lamp," + strings.Repeat("😀", 200) + ",1\n", one(strings.Repeat("😀", 200), 1)},
		{"a replacement character that was written", head + "lamp,\ufffd,1\n", one("\ufffd", 1)},
		{"right to left", head + "lamp,مصباح,1\n", one("مصباح", 1)},
		{"shortest sku", head + "0,Lamp,1\n", []row{{"0", "Lamp", 1}}},
		{"longest sku", head + strings.Repeat("a", 64) + ",Lamp,1\n", []row{{strings.Repeat("a", 64), "Lamp", 1}}},
		{"sku ends with a hyphen", head + "lamp-,Lamp,1\n", []row{{"lamp-", "Lamp", 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseShipment("x.csv", []byte(tt.content))
			must(t, err)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(row{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for name, content := range map[string]string{"100 rows": numbered(100), "64 KiB": sized(64 << 10)} {
		t.Run(name, func(t *testing.T) {
			rows, err := parseShipment("x.csv", []byte(content))
			must(t, err)
			if want := strings.Count(content, "\n") - 1; len(rows) != want {
				t.Errorf("%d rows, want %d", len(rows), want)
			}
		})
	}
}

func TestShipmentRefused(t *testing.T) {
	tests := []struct {
		name, content string
		line          int
		what          string
	}{
		{"one byte over 64 KiB", sized(64<<10 + 1), 1, "size"},
		{"one blank line over 64 KiB", sized(64<<10) + "\n", 1, "size"},
		{"101 rows", numbered(101), 102, "rows"},
		{"header only", head, 1, "rows"},
		{"header without a line end", strings.TrimSpace(head), 1, "rows"},
		{"header and blank lines", head + "\n\n\r\n", 1, "rows"},

		{"no header", "lamp,Lamp,1\n", 1, "header"},
		{"columns in another order", "title,sku,quantity\nLamp,lamp,1\n", 1, "header"},
		{"one column more", "sku,title,quantity,price\nlamp,Lamp,1,2\n", 1, "header"},
		{"one column less", "sku,title\nlamp,Lamp\n", 1, "header"},
		{"blank in the header", "sku, title,quantity\nlamp,Lamp,1\n", 1, "header"},
		{"semicolons", "sku;title;quantity\nlamp;Lamp;1\n", 1, "header"},
		{"two byte order marks", "\ufeff\ufeff" + head + "lamp,Lamp,1\n", 1, "header"},
		{"two byte order marks before a quote", "\ufeff\ufeff\"sku\",title,quantity\nlamp,Lamp,1\n", 1, "header"},
		{"byte order mark only", "\ufeff", 1, "header"},
		{"UTF-16", "\xff\xfes\x00k\x00u\x00", 1, "header"},
		{"CR alone as line end", "sku,title,quantity\rlamp,Lamp,1\r", 1, "header"},
		{"header with a quote left open", "sku,title,\"quantity\nlamp,Lamp,1\n", 1, "header"},

		{"two fields", head + "lamp,Lamp\n", 2, "fields"},
		{"four fields", head + "lamp,Lamp,1,\n", 2, "fields"},
		{"comma without quotes", head + "lamp,Lamp, small,1\n", 2, "fields"},
		{"fields in the second row", head + "lamp,Lamp,1\nnotebook\n", 3, "fields"},
		{"fields after blank lines", head + "\n\nlamp,Lamp,1\n\nnotebook\n", 6, "fields"},
		{"CR alone between rows", head + "lamp,Lamp,1\rnotebook,Notebook,1\n", 2, "fields"},

		{"quote left open", head + "lamp,\"Lamp,1\n", 2, "syntax"},
		{"quote inside bare text", head + "lamp,La\"mp,1\n", 2, "syntax"},
		{"text after a closing quote", head + "lamp,\"Lamp\"x,1\n", 2, "syntax"},

		{"no sku", head + ",Lamp,1\n", 2, "sku"},
		{"sku of 65", head + strings.Repeat("a", 65) + ",Lamp,1\n", 2, "sku"},
		{"sku in capitals", head + "Lamp,Lamp,1\n", 2, "sku"},
		{"sku begins with a hyphen", head + "-lamp,Lamp,1\n", 2, "sku"},
		{"sku with a blank", head + "lamp ,Lamp,1\n", 2, "sku"},
		{"sku with an underscore", head + "desk_lamp,Lamp,1\n", 2, "sku"},
		{"sku with a line break", head + "\"lamp\n\",Lamp,1\n", 2, "sku"},
		{"sku with a letter of another script", head + "lаmp,Lamp,1\n", 2, "sku"},
		{"header again", head + "lamp,Lamp,1\nsku,title,quantity\n", 3, "quantity"},

		{"no title", head + "lamp,,1\n", 2, "title"},
		{"title of 201 characters", head + "lamp," + strings.Repeat("ж", 201) + ",1\n", 2, "title"},
		{"title with a tab", head + "lamp,La\tmp,1\n", 2, "title"},
		{"title with a zero byte", head + "lamp,La\x00mp,1\n", 2, "title"},
		{"title with DEL", head + "lamp,La\x7fmp,1\n", 2, "title"},
		{"title with a C1 control", head + "lamp,La\u0085mp,1\n", 2, "title"},
		{"title with CR", head + "lamp,La\rmp,1\n", 2, "title"},
		{"title in Latin-1", head + "lamp,L\xe4mp,1\n", 2, "title"},
		{"title with half a character", head + "lamp,\xd0,1\n", 2, "title"},
		{"title with a surrogate half", head + "lamp,\xed\xa0\x80,1\n", 2, "title"},
		{"after a row over two lines, the line is still right", head + "lamp,Lamp,1\n\"x\ny\",T,1\n", 3, "sku"},

		{"no quantity", head + "lamp,Lamp,\n", 2, "quantity"},
		{"quantity 0 with zeros", head + "lamp,Lamp,000\n", 2, "quantity"},
		{"quantity with many digits", head + "lamp,Lamp," + strings.Repeat("9", 30) + "\n", 2, "quantity"},
		{"quantity that is 1 after an overflow", head + "lamp,Lamp,18446744073709551617\n", 2, "quantity"},
		{"quantity with a blank", head + "lamp,Lamp, 1\n", 2, "quantity"},
		{"quantity with an underscore", head + "lamp,Lamp,1_000\n", 2, "quantity"},
		{"quantity in hexadecimal", head + "lamp,Lamp,0x10\n", 2, "quantity"},
		{"quantity with a comma", head + "lamp,Lamp,\"1,000\"\n", 2, "quantity"},
		{"quantity in digits of another script", head + "lamp,Lamp,٣\n", 2, "quantity"},
		{"quantity and two CR", head + "lamp,Lamp,1\r\r\n", 2, "quantity"},
		{"minus zero", head + "lamp,Lamp,-0\n", 2, "quantity"},

		{"sku twice in a row", head + "lamp,Lamp,1\nlamp,Lamp,1\n", 3, "duplicate_sku"},
		{"sku twice, other title", head + "lamp,Lamp,1\npencil,Pencil,1\nlamp,Other,2\n", 4, "duplicate_sku"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := parseShipment("x.csv", []byte(tt.content))
			if err == nil || rows != nil {
				t.Fatalf("%d rows, error %v; want a refusal and no row", len(rows), err)
			}
			wantBadCSV(t, err, "x.csv", tt.line, tt.what)
		})
	}
}

// A file that is not there is no refusal: it may come, so a retry makes sense.
func TestLoadShipmentWithoutFile(t *testing.T) {
	_, err := loadShipment(t.TempDir(), datasetA)
	if _, refused := asRefusal(err); refused || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want a technical error that says what is missing", err)
	}
}

// A file that never ends is not read to its end.
func TestLoadShipmentReadsNoMoreThanItMust(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Symlink("/dev/zero", filepath.Join(dir, "shipment-a.csv")))
	_, err := loadShipment(dir, datasetA)
	wantBadCSV(t, err, "shipment-a.csv", 1, "size")
}

// FuzzShipment: no file makes it panic; accepted rows are all within bounds, and
// written out and read again they are the same rows.
func FuzzShipment(f *testing.F) {
	files, err := filepath.Glob("testdata/csv/*.csv")
	if err != nil || len(files) == 0 {
		f.Fatalf("seeds: %v, %v", files, err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(numbered(100)))
	f.Add([]byte(head + "lamp,\"a\"\"b,c\",007\r\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		rows, err := parseShipment("x.csv", content)
		if err != nil {
			if code := codeOf(t, err); code != "bad_csv" || rows != nil {
				t.Errorf("code %q with %d rows, want bad_csv and none", code, len(rows))
			}
			if !utf8.ValidString(err.Error()) {
				t.Errorf("the refusal %q is not UTF-8", err)
			}
			return
		}
		if len(rows) < 1 || len(rows) > 100 {
			t.Errorf("%d rows", len(rows))
		}
		skus := map[string]bool{}
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		must(t, w.Write(header))
		for _, r := range rows {
			if skus[r.sku] || len(r.sku) < 1 || len(r.sku) > 64 || strings.Trim(r.sku, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || r.sku[0] == '-' {
				t.Errorf("sku %q", r.sku)
			}
			skus[r.sku] = true
			if n := len([]rune(r.title)); n < 1 || n > 200 || !utf8.ValidString(r.title) || strings.ContainsFunc(r.title, unicode.IsControl) {
				t.Errorf("title %q", r.title)
			}
			if r.quantity < 1 || r.quantity > 1_000_000 {
				t.Errorf("quantity %d", r.quantity)
			}
			must(t, w.Write([]string{r.sku, r.title, strconv.Itoa(r.quantity)}))
		}
		w.Flush()
		if out.Len() > maxFileSize {
			return // quoting can make a file of the largest size too large
		}
		again, err := parseShipment("x.csv", out.Bytes())
		must(t, err)
		if diff := cmp.Diff(rows, again, cmp.AllowUnexported(row{})); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}
