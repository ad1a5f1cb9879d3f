package check_test

import (
	"strings"
	"testing"

	"example.com/importer/harness/check"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
)

func TestStorm(t *testing.T) {
	data := dataset.Teaching()
	result := func(batch string) *history.Job {
		return &history.Job{State: "completed", Result: &history.Result{Imported: 3, BatchID: batch}}
	}
	right := func() check.Aftermath {
		return check.Aftermath{
			Data: data, Marks: true,
			Jobs:  map[string]string{"shipment-b1": "b1", "again": "b1", "shipment-b2": "b2"},
			Found: map[string]*history.Job{"shipment-b1": result("b1"), "again": result("b1"), "shipment-b2": result("b2")},
			State: history.State{Stock: data.After(2), Generation: 2, Marks: map[string]history.Mark{
				"b1": {Imported: 3, BatchID: "b1"}, "b2": {Imported: 3, BatchID: "b2"},
			}},
		}
	}
	for _, c := range []struct {
		name   string
		change func(*check.Aftermath)
		want   string // what the only finding is about, and what it says
	}{
		{"right", func(*check.Aftermath) {}, ""},
		{"no marks at this stage", func(a *check.Aftermath) { a.Marks, a.State.Marks = false, nil }, ""},
		{"one too many", func(a *check.Aftermath) { a.State.Stock = data.After(3) }, "stock 44/18/12, the shipment is in it 3 times"},
		{"one too few", func(a *check.Aftermath) { a.State.Stock = data.After(1) }, "stock 20/8/4, the shipment is in it once"},
		{"a part", func(a *check.Aftermath) { a.State.Stock["lamp"]++ }, "stock 33/13/8, which no whole number"},
		{"generation", func(a *check.Aftermath) { a.State.Generation = 3 }, "generation 3"},
		{"mark missing", func(a *check.Aftermath) { delete(a.State.Marks, "b2") }, "marks missing or wrong for b2"},
		{"mark for nobody", func(a *check.Aftermath) { a.State.Marks["b3"] = history.Mark{Imported: 3, BatchID: "b3"} }, "marks missing or wrong for b3"},
		{"mark that vanishes", func(a *check.Aftermath) {
			a.State.Marks["b1"] = history.Mark{Imported: 3, BatchID: "b1", Lifetime: true}
		}, "marks missing or wrong for b1"},
		{"job failed", func(a *check.Aftermath) { a.Found["again"] = &history.Job{State: "failed"} }, "jobs failed: again"},
		{"job going", func(a *check.Aftermath) { a.Found["again"] = &history.Job{State: "active"} }, "jobs still going: again (active)"},
		{"no record", func(a *check.Aftermath) { a.Found["again"] = nil }, "results others: again (no record)"},
		{"another result", func(a *check.Aftermath) { a.Found["again"] = result("b2") }, "results others: again (imported 3, batchId b2)"},
		{"no result", func(a *check.Aftermath) { a.Found["again"].Result = nil }, "results others: again (no result)"},
	} {
		a := right()
		c.change(&a)
		found := check.Storm(a)
		var seen string
		for _, f := range found {
			seen += f.About + " " + f.Seen
		}
		if len(found) > 1 || !strings.HasPrefix(seen, c.want) || (c.want == "") != (seen == "") {
			t.Errorf("%s: %q, want %q", c.name, seen, c.want)
		}
	}
}
