package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var shipmentA = []row{{"lamp", "Desk lamp", 12}, {"notebook", "Notebook", 5}, {"pencil", "Pencil", 4}}

// apply says whether the call was a repeat, which shows in the generation.
func (s *store) apply(t *testing.T, batch string, rows []row) (res result, repeated bool) {
	t.Helper()
	before := s.generation(t)
	res, err := apply(t.Context(), s.client(t), batch, rows)
	must(t, err)
	return res, s.generation(t) == before
}

// The story of the lesson: once 20 / 8 / 4, again 20 / 8 / 4, another arrival
// 32 / 13 / 8, and the first one's repeat still gets its first result.
func TestApply(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	steps := []struct {
		batch      string
		repeated   bool
		stock      map[string]int
		generation string
	}{
		{"a", false, map[string]int{"lamp": 20, "notebook": 8, "pencil": 4}, "1"},
		{"a", true, map[string]int{"lamp": 20, "notebook": 8, "pencil": 4}, "1"},
		{"b", false, map[string]int{"lamp": 32, "notebook": 13, "pencil": 8}, "2"},
		{"a", true, map[string]int{"lamp": 32, "notebook": 13, "pencil": 8}, "2"},
		{"b", true, map[string]int{"lamp": 32, "notebook": 13, "pencil": 8}, "2"},
	}
	for i, step := range steps {
		res, repeated := s.apply(t, step.batch, shipmentA)
		if want := (result{Imported: 3, BatchID: step.batch}); res != want || repeated != step.repeated {
			t.Errorf("step %d: %+v, repeated %v; want %+v, %v", i, res, repeated, want, step.repeated)
		}
		if diff := cmp.Diff(step.stock, s.stock(t)); diff != "" {
			t.Errorf("step %d: stock (-want +got)\n%s", i, diff)
		}
		if got := s.generation(t); got != step.generation {
			t.Errorf("step %d: generation %s, want %s", i, got, step.generation)
		}
		if ttl := s.TTL(t.Context(), markKey(step.batch)).Val(); ttl != -1 {
			t.Errorf("step %d: the mark has lifetime %v, want none", i, ttl)
		}
	}
	var mark map[string]any
	must(t, json.Unmarshal([]byte(s.Get(t.Context(), markKey("a")).Val()), &mark))
	want := map[string]any{"batchId": "a", "imported": 3.0, "fingerprint": fingerprint(shipmentA)}
	if diff := cmp.Diff(want, mark); diff != "" {
		t.Errorf("mark (-want +got)\n%s", diff)
	}
}

// Without any catalogue an arrival is the first stock.
func TestApplyToNothing(t *testing.T) {
	s := newStore(t)
	s.apply(t, "a", shipmentA)
	if diff := cmp.Diff(map[string]int{"lamp": 12, "notebook": 5, "pencil": 4}, s.stock(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := s.generation(t); got != "1" {
		t.Errorf("generation %s, want 1", got)
	}
}

// The bounds of one call: 100 rows, and a product that holds exactly the limit.
func TestApplyAtItsBounds(t *testing.T) {
	s := newStore(t)
	var rows []row
	for i := range 100 {
		rows = append(rows, row{fmt.Sprint("sku-", i), strings.Repeat("😀", 200), 500_000})
	}
	s.apply(t, "a", rows)
	s.apply(t, "b", rows)
	stock := s.stock(t)
	if len(stock) != 100 || stock["sku-0"] != 1_000_000 || stock["sku-99"] != 1_000_000 {
		t.Errorf("%d products, the first holds %d, the last %d", len(stock), stock["sku-0"], stock["sku-99"])
	}
	if raw := s.HGet(t.Context(), productsKey, "sku-0").Val(); !strings.Contains(raw, "1000000") {
		t.Errorf("a million is stored as %s", raw)
	}
}

// Every refusal leaves stock, generation and mark exactly as they were. What is
// wrong stands at the last row, so that a script which writes as it goes shows.
func TestApplyRefuses(t *testing.T) {
	del := func(key string) []any { return []any{"DEL", key} }
	set := func(key, value string) []any { return []any{"SET", key, value} }
	pencil := func(raw string) []any { return []any{"HSET", productsKey, "pencil", raw} }
	mark := func(raw string) []any { return set(markKey("a"), raw) }
	goodMark := `{"batchId":"a","imported":3,"fingerprint":"` + fingerprint(shipmentA) + `"}`
	tests := []struct {
		name   string
		before [][]any
		code   string
	}{
		{"last row one over the limit", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":999997}`)}, "quantity_limit"},
		{"first row one over the limit", [][]any{{"HSET", productsKey, "lamp", `{"sku":"lamp","title":"Lamp","quantity":999989}`}}, "quantity_limit"},
		{"at the limit already", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":1000000}`)}, "quantity_limit"},

		{"stock is a string", [][]any{del(productsKey), set(productsKey, "x")}, "bad_stock"},
		{"stock is a list", [][]any{del(productsKey), {"RPUSH", productsKey, "x"}}, "bad_stock"},
		{"stock is a set", [][]any{del(productsKey), {"SADD", productsKey, "x"}}, "bad_stock"},
		{"product is a word", [][]any{pencil("4")}, "bad_stock"},
		{"product is empty", [][]any{pencil("")}, "bad_stock"},
		{"product is not JSON", [][]any{pencil(`{"sku":"pencil"`)}, "bad_stock"},
		{"product and more", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":1} x`)}, "bad_stock"},
		{"product is null", [][]any{pencil("null")}, "bad_stock"},
		{"product is a string", [][]any{pencil(`"pencil"`)}, "bad_stock"},
		{"product is an array", [][]any{pencil(`["pencil","Pencil",1]`)}, "bad_stock"},
		{"product is an empty array", [][]any{pencil(`[]`)}, "bad_stock"},
		{"product of another sku", [][]any{pencil(`{"sku":"pen","title":"Pencil","quantity":1}`)}, "bad_stock"},
		{"product without sku", [][]any{pencil(`{"title":"Pencil","quantity":1}`)}, "bad_stock"},
		{"title is a number", [][]any{pencil(`{"sku":"pencil","title":7,"quantity":1}`)}, "bad_stock"},
		{"title is null", [][]any{pencil(`{"sku":"pencil","title":null,"quantity":1}`)}, "bad_stock"},
		{"no title", [][]any{pencil(`{"sku":"pencil","quantity":1}`)}, "bad_stock"},
		{"quantity is a string", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":"1"}`)}, "bad_stock"},
		{"quantity is negative", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":-1}`)}, "bad_stock"},
		{"quantity has a fraction", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":1.5}`)}, "bad_stock"},
		{"quantity is 1e+14", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":1e+14}`)}, "bad_stock"},
		{"quantity is over the limit", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":1000001}`)}, "bad_stock"},
		{"quantity is null", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":null}`)}, "bad_stock"},
		{"quantity is true", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":true}`)}, "bad_stock"},
		{"quantity is an array", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":[1]}`)}, "bad_stock"},
		{"quantity is not a number", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":nan}`)}, "bad_stock"},
		{"quantity is infinite", [][]any{pencil(`{"sku":"pencil","title":"Pencil","quantity":1e999}`)}, "bad_stock"},
		{"no quantity", [][]any{pencil(`{"sku":"pencil","title":"Pencil"}`)}, "bad_stock"},

		{"generation is a hash", [][]any{del(generationKey), {"HSET", generationKey, "x", "1"}}, "bad_generation"},
		{"generation is a list", [][]any{del(generationKey), {"RPUSH", generationKey, "1"}}, "bad_generation"},
		{"generation is a word", [][]any{set(generationKey, "x")}, "bad_generation"},
		{"generation is empty", [][]any{set(generationKey, "")}, "bad_generation"},
		{"generation is negative", [][]any{set(generationKey, "-1")}, "bad_generation"},
		{"generation has a sign", [][]any{set(generationKey, "+1")}, "bad_generation"},
		{"generation with zeros before it", [][]any{set(generationKey, "007")}, "bad_generation"},
		{"generation 00", [][]any{set(generationKey, "00")}, "bad_generation"},
		{"generation with a fraction", [][]any{set(generationKey, "1.5")}, "bad_generation"},
		{"generation with an exponent", [][]any{set(generationKey, "1e3")}, "bad_generation"},
		{"generation with a blank", [][]any{set(generationKey, "1 ")}, "bad_generation"},
		{"generation with a line break", [][]any{set(generationKey, "1\n")}, "bad_generation"},
		{"generation with a zero byte", [][]any{set(generationKey, "1\x00")}, "bad_generation"},
		{"generation of 20 digits", [][]any{set(generationKey, "12345678901234567890")}, "bad_generation"},
		{"generation at the end of 64 bits", [][]any{set(generationKey, "9223372036854775807")}, "bad_generation"},

		{"mark is a hash", [][]any{{"HSET", markKey("a"), "batchId", "a"}}, "bad_mark"},
		{"mark is a set", [][]any{{"SADD", markKey("a"), "a"}}, "bad_mark"},
		{"mark is true", [][]any{mark("true")}, "bad_mark"},
		{"mark is 1", [][]any{mark("1")}, "bad_mark"},
		{"mark is empty", [][]any{mark("")}, "bad_mark"},
		{"mark is not JSON", [][]any{mark("{")}, "bad_mark"},
		{"mark is null", [][]any{mark("null")}, "bad_mark"},
		{"mark is an array", [][]any{mark(`["a",3]`)}, "bad_mark"},
		{"mark of another batch", [][]any{mark(strings.Replace(goodMark, `"a"`, `"b"`, 1))}, "bad_mark"},
		{"mark without batch", [][]any{mark(strings.Replace(goodMark, `"batchId":"a",`, ``, 1))}, "bad_mark"},
		{"mark without fingerprint", [][]any{mark(`{"batchId":"a","imported":3}`)}, "bad_mark"},
		{"mark without result", [][]any{mark(strings.Replace(goodMark, `"imported":3,`, ``, 1))}, "bad_mark"},
		{"mark with a result of no rows", [][]any{mark(strings.Replace(goodMark, `:3`, `:0`, 1))}, "bad_mark"},
		{"mark with a result in words", [][]any{mark(strings.Replace(goodMark, `:3`, `:"3"`, 1))}, "bad_mark"},
		{"mark of other rows", [][]any{mark(strings.Replace(goodMark, "sha256:", "sha256:0", 1))}, "batch_conflict"},
		{"mark of other rows and stock at its limit", [][]any{mark(strings.Replace(goodMark, "sha256:", "sha256:0", 1)),
			pencil(`{"sku":"pencil","title":"Pencil","quantity":1000000}`)}, "batch_conflict"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			s.seed(t)
			for _, command := range tt.before {
				must(t, s.Do(t.Context(), command...).Err())
			}
			before := s.dump(t)
			for range 2 { // a refusal is the same the second time
				_, err := apply(t.Context(), s.client(t), "a", shipmentA)
				if got := codeOf(t, err); got != tt.code {
					t.Errorf("code %q (%v), want %q", got, err, tt.code)
				}
			}
			if diff := s.changes(before, s.dump(t)); diff != "" {
				t.Errorf("something was written (-before +after)\n%s", diff)
			}
		})
	}
}

// A batch that was applied gets its result, whatever became of the stock since.
func TestApplyRepeatedOverDamage(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	s.apply(t, "a", shipmentA)
	must(t, s.Set(t.Context(), generationKey, "x", 0).Err())
	must(t, s.HSet(t.Context(), productsKey, "lamp", "x").Err())
	before := s.dump(t)
	if res, repeated := s.apply(t, "a", shipmentA); !repeated || res.Imported != 3 {
		t.Errorf("%+v, repeated %v", res, repeated)
	}
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// The same batch id with other rows is refused; with the same rows in another
// order it is a repeat.
func TestApplyConflict(t *testing.T) {
	s := newStore(t)
	s.apply(t, "a", shipmentA)
	before := s.dump(t)
	for name, rows := range map[string][]row{
		"another quantity": {{"lamp", "Desk lamp", 13}, shipmentA[1], shipmentA[2]},
		"another title":    {{"lamp", "Lamp", 12}, shipmentA[1], shipmentA[2]},
		"a row less":       shipmentA[:2],
		"a row more":       append(shipmentA[:3:3], row{"pen", "Pen", 1}),
	} {
		_, err := apply(t.Context(), s.client(t), "a", rows)
		if got := codeOf(t, err); got != "batch_conflict" {
			t.Errorf("%s: code %q, want batch_conflict", name, got)
		}
	}
	if _, repeated := s.apply(t, "a", []row{shipmentA[2], shipmentA[0], shipmentA[1]}); !repeated {
		t.Error("another order of the same rows is not a repeat")
	}
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// Rows straight to the script, past the program's own check.
func TestApplyScriptRefusesRows(t *testing.T) {
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf(`["sku-%d","T",1]`, i)
	}
	for name, rows := range map[string]string{
		"no JSON":                  "lamp,Lamp,1",
		"empty text":               "",
		"null":                     "null",
		"a number":                 "1",
		"no rows":                  "[]",
		"an object":                `{}`,
		"an object of rows":        `{"1":["lamp","Lamp",1]}`,
		"101 rows":                 "[" + strings.Join(many, ",") + "]",
		"a sku twice":              `[["lamp","Lamp",1],["pencil","Pencil",1],["lamp","Lamp",1]]`,
		"a row that is no row":     `[["lamp","Lamp",1],"pencil"]`,
		"a row that is a number":   `[["lamp","Lamp",1],7]`,
		"a row that is an object":  `[["lamp","Lamp",1],{"sku":"pencil","title":"Pencil","quantity":1}]`,
		"an empty row":             `[["lamp","Lamp",1],[]]`,
		"a row too short":          `[["lamp","Lamp",1],["pencil","Pencil"]]`,
		"a row too long":           `[["lamp","Lamp",1],["pencil","Pencil",1,2]]`,
		"sku is a number":          `[["lamp","Lamp",1],[7,"Pencil",1]]`,
		"sku is empty":             `[["lamp","Lamp",1],["","Pencil",1]]`,
		"sku is null":              `[["lamp","Lamp",1],[null,"Pencil",1]]`,
		"title is a number":        `[["lamp","Lamp",1],["pencil",7,1]]`,
		"title is empty":           `[["lamp","Lamp",1],["pencil","",1]]`,
		"title is null":            `[["lamp","Lamp",1],["pencil",null,1]]`,
		"quantity is a string":     `[["lamp","Lamp",1],["pencil","Pencil","1"]]`,
		"quantity is 0":            `[["lamp","Lamp",1],["pencil","Pencil",0]]`,
		"quantity is negative":     `[["lamp","Lamp",1],["pencil","Pencil",-1]]`,
		"quantity has a fraction":  `[["lamp","Lamp",1],["pencil","Pencil",1.5]]`,
		"quantity is over a row's": `[["lamp","Lamp",1],["pencil","Pencil",1000001]]`,
		"quantity is huge":         `[["lamp","Lamp",1],["pencil","Pencil",1e300]]`,
		"quantity is true":         `[["lamp","Lamp",1],["pencil","Pencil",true]]`,
		"quantity is null":         `[["lamp","Lamp",1],["pencil","Pencil",null]]`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			s.seed(t)
			before := s.dump(t)
			reply, err := applyScript.run(t.Context(), s, []string{productsKey, generationKey, markKey("a")}, "a", "sha256:0", rows)
			must(t, err)
			if answer := texts(reply); len(answer) != 3 || answer[0] != "refused" || answer[1] != "bad_rows" {
				t.Errorf("answer %q, want refused bad_rows", reply)
			}
			if diff := s.changes(before, s.dump(t)); diff != "" {
				t.Errorf("something was written (-before +after)\n%s", diff)
			}
		})
	}
}

// A hole among the rows. The in-process Redis closes holes when it reads JSON.
func TestApplyScriptRefusesAHole(t *testing.T) {
	s := newStore(t)
	if s.mini != nil {
		t.Skip("needs a real server: " + realRedis)
	}
	reply, err := applyScript.run(t.Context(), s, []string{productsKey, generationKey, markKey("a")}, "a", "sha256:0", `[["lamp","Lamp",1],null,["pencil","Pencil",1]]`)
	must(t, err)
	if answer := texts(reply); len(answer) != 3 || answer[1] != "bad_rows" {
		t.Errorf("answer %q, want refused bad_rows", reply)
	}
	if diff := cmp.Diff(map[string]any{}, s.dump(t)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// Titles are text in any script, kept through Lua and back as they were.
func TestApplyKeepsTitles(t *testing.T) {
	s := newStore(t)
	titles := []string{"Lamp, \"small\"", "Лампа настольная", "電気スタンド", "مصباح", "a/b\\c", "<b>&amp;</b>", "😀👩‍👩‍👧", "null", "1e3", "%d %s", "'", "é\u0301",
		"\u2028\u2029", "\ufffd", "\U0010ffff", `\u0041`, " x "}
	var rows []row
	for i, title := range titles {
		rows = append(rows, row{fmt.Sprint("sku-", i), title, 1})
	}
	s.apply(t, "a", rows)
	s.apply(t, "b", rows) // read by the script and written again
	view, err := readCatalogue(t.Context(), s.client(t))
	must(t, err)
	got := map[string]product{}
	for _, p := range view.Products {
		got[p.SKU] = p
	}
	for i, title := range titles {
		sku := fmt.Sprint("sku-", i)
		if want := (product{sku, title, 2}); got[sku] != want {
			t.Errorf("%+v, want %+v", got[sku], want)
		}
	}
}

// A warm script is one command for one apply. When the server has forgotten
// it, the source is sent once, and the stock is still right.
func TestApplyIsOneCommand(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	s.load(t, applyScript)
	r := newRelay(t, s, func([]string) fault { return pass })
	rdb := connect(configFor(t, r.url), commandTimeout, 2)
	defer rdb.Close()
	wantCalls := func(what string, sha, source int) {
		t.Helper()
		if a, b := r.calls(applyScript); a != sha || b != source {
			t.Errorf("%s: %d calls by digest and %d by source, want %d and %d", what, a, b, sha, source)
		}
	}
	for i, batch := range []string{"a", "b", "b"} {
		_, err := apply(t.Context(), rdb, batch, shipmentA)
		must(t, err)
		wantCalls(batch, i+1, 0)
	}
	must(t, s.ScriptFlush(t.Context()).Err())
	_, err := apply(t.Context(), rdb, "c", shipmentA)
	must(t, err)
	wantCalls("after SCRIPT FLUSH", 4, 1)
	if diff := cmp.Diff(map[string]int{"lamp": 44, "notebook": 18, "pencil": 12}, s.stock(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// When the reply is lost the outcome is unknown: no refusal, and no repeat behind
// the caller's back. Asking again finds the result.
func TestApplyWithALostReply(t *testing.T) {
	for name, what := range map[string]fault{"connection breaks": dropReply, "silence": swallowReply} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			s.load(t, applyScript)
			r := newRelay(t, s, once(applyScript, what))
			rdb := connect(configFor(t, r.url), 500*time.Millisecond, 2)
			defer rdb.Close()
			_, err := apply(t.Context(), rdb, "a", shipmentA)
			if _, refused := asRefusal(err); err == nil || refused {
				t.Errorf("%v, want a technical error", err)
			}
			if sha, source := r.calls(applyScript); sha+source != 1 {
				t.Errorf("%d calls, want 1", sha+source)
			}
			res, err := apply(t.Context(), rdb, "a", shipmentA)
			must(t, err)
			if res != (result{3, "a"}) {
				t.Errorf("%+v", res)
			}
			if diff := cmp.Diff(map[string]int{"lamp": 12, "notebook": 5, "pencil": 4}, s.stock(t)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Of many at once with the same batch one changes the stock, as stock and
// generation show, and all are told the same.
func TestApplyAtOnce(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	const workers = 8
	results, errs := make([]result, workers), make([]error, workers)
	var all sync.WaitGroup
	for i := range workers {
		rdb := s.client(t)
		all.Go(func() {
			results[i], errs[i] = apply(context.Background(), rdb, "a", shipmentA)
		})
	}
	all.Wait()
	must(t, errors.Join(errs...))
	for i := range workers {
		if results[i] != (result{3, "a"}) {
			t.Errorf("worker %d was told %+v", i, results[i])
		}
	}
	if diff := cmp.Diff(map[string]int{"lamp": 20, "notebook": 8, "pencil": 4}, s.stock(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := s.generation(t); got != "1" {
		t.Errorf("generation %s, want 1", got)
	}
}

func TestFingerprint(t *testing.T) {
	base := []row{{"lamp", "Lamp", 12}, {"pencil", "Pencil", 4}}
	same := [][]row{{{"pencil", "Pencil", 4}, {"lamp", "Lamp", 12}}}
	other := [][]row{
		{{"lamp", "Lamp", 13}, {"pencil", "Pencil", 4}},
		{{"lamp", "lamp", 12}, {"pencil", "Pencil", 4}},
		{{"lamq", "Lamp", 12}, {"pencil", "Pencil", 4}},
		{{"lamp", "Lamp", 12}},
		{{"lamp", "Pencil", 12}, {"pencil", "Lamp", 4}},
		{{"lamp", "Lamp,12\npencil,Pencil", 4}},
		{{"lamp", `Lamp",12`, 1}, {"pencil", "Pencil", 4}},
	}
	for _, rows := range same {
		if fingerprint(rows) != fingerprint(base) {
			t.Errorf("%v has another fingerprint than %v", rows, base)
		}
	}
	seen := map[string][]row{fingerprint(base): base}
	for _, rows := range other {
		if twin, ok := seen[fingerprint(rows)]; ok {
			t.Errorf("%v has the fingerprint of %v", rows, twin)
		}
		seen[fingerprint(rows)] = rows
	}
	if base[0].sku != "lamp" || same[0][0].sku != "pencil" {
		t.Error("the rows were put into another order")
	}
}
