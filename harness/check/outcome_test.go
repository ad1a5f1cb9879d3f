package check_test

import (
	"testing"

	"example.com/importer/harness/check"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/results"
)

func TestOutcome(t *testing.T) {
	data := dataset.Teaching()
	right := func() check.Quiet {
		return check.Quiet{
			Data: data, Batch: "batch-a", Works: true, Marks: true, Jobs: 1,
			State: history.State{Stock: data.After(1), Generation: 1, Marks: map[string]history.Mark{"batch-a": {Imported: 3, BatchID: "batch-a"}}},
			Job:   &history.Job{State: "completed", Result: &history.Result{Imported: 3, BatchID: "batch-a"}},
		}
	}
	for _, c := range []struct {
		name   string
		change func(*check.Quiet)
		want   results.Outcome
	}{
		{"right", func(*check.Quiet) {}, results.Once},
		{"no marks at this stage", func(q *check.Quiet) { q.Marks, q.State.Marks = false, nil }, results.Once},
		{"twice", func(q *check.Quiet) { q.State.Stock, q.State.Generation = data.After(2), 2 }, results.Twice},
		{"twice under one generation", func(q *check.Quiet) { q.State.Stock = data.After(2) }, results.Twice},
		{"a part", func(q *check.Quiet) { q.State.Stock = dataset.Stock{"lamp": 20, "notebook": 3} }, results.Partly},
		{"generation forgotten", func(q *check.Quiet) { q.State.Generation = 0 }, results.Partly},
		{"generation twice", func(q *check.Quiet) { q.State.Generation = 2 }, results.Partly},
		{"no mark", func(q *check.Quiet) { q.State.Marks = nil }, results.Partly},
		{"a mark that vanishes", func(q *check.Quiet) {
			q.State.Marks["batch-a"] = history.Mark{Imported: 3, BatchID: "batch-a", Lifetime: true}
		}, results.Partly},
		{"a mark too many", func(q *check.Quiet) { q.State.Marks["batch-x"] = history.Mark{} }, results.Partly},
		{"stock that cannot be read", func(q *check.Quiet) { q.State.Unreadable = []string{"lamp"} }, results.Partly},
		{"added, and says failed", func(q *check.Quiet) { q.Job = &history.Job{State: "failed", Error: "EOF"} }, results.Unknown},
		{"added, and no record", func(q *check.Quiet) { q.Job = nil }, results.Unknown},
		{"another result", func(q *check.Quiet) { q.Job.Result.Imported = 2 }, results.Unknown},
		{"nothing, and says failed", func(q *check.Quiet) {
			q.State = history.State{Stock: data.After(0)}
			q.Job = &history.Job{State: "failed"}
		}, results.Failed},
		{"nothing, and says completed", func(q *check.Quiet) { q.State = history.State{Stock: data.After(0)} }, results.Lost},
		{"nothing, and no record", func(q *check.Quiet) { q.State, q.Job = history.State{Stock: data.After(0)}, nil }, results.Lost},
		{"does not end", func(q *check.Quiet) { q.Stuck, q.Job.State = true, "active" }, results.Stuck},
		{"waits where nobody works", func(q *check.Quiet) {
			q.Works, q.State, q.Job = false, history.State{Stock: data.After(0)}, &history.Job{State: "waiting"}
		}, results.Once},
		{"two wait where nobody works", func(q *check.Quiet) {
			q.Works, q.Jobs, q.State, q.Job = false, 2, history.State{Stock: data.After(0)}, &history.Job{State: "waiting"}
		}, results.Twice},
		{"none waits where nobody works", func(q *check.Quiet) {
			q.Works, q.Jobs, q.State, q.Job = false, 0, history.State{Stock: data.After(0)}, nil
		}, results.Lost},
		{"added where nobody works", func(q *check.Quiet) { q.Works = false }, results.Partly},
	} {
		q := right()
		c.change(&q)
		if got, why := check.Outcome(q); got != c.want || why == "" {
			t.Errorf("%s: %s (%s), want %s", c.name, got, why, c.want)
		}
	}
}
