package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Aftermath is what many imports with many faults left, when nothing happens any more.
type Aftermath struct {
	Data  dataset.Data
	Jobs  map[string]string       // the batch of every job that was asked for, by job id
	Found map[string]*history.Job // the jobs, by id; nil for one without a record
	State history.State
	Marks bool // the stage marks what it has applied
}

// Storm says what is wrong: every batch must have been added once, every job must have
// ended, and all jobs of a batch must have its first result.
func Storm(a Aftermath) []results.Finding {
	var found []results.Finding
	differs := func(about string, rule matrix.Rule, expected, seen string) {
		found = append(found, results.Finding{About: about, Expected: expected, Seen: seen, Rule: rule.Sentence, Lesson: rule.Lesson})
	}
	batches := map[string]bool{}
	for _, batch := range a.Jobs {
		batches[batch] = true
	}
	n := len(batches)
	if expected := a.Data.After(n); !maps.Equal(a.State.Stock, expected) || len(a.State.Unreadable) > 0 {
		text := a.Data.Line(a.State.Stock)
		if times, whole := a.Data.Arrivals(a.State.Stock); whole {
			text += ", " + arrivals(times)
		} else {
			text += ", which no whole number of arrivals gives"
		}
		differs("stock", matrix.RepeatAddsNothing, a.Data.Line(expected)+", "+arrivals(n), text)
	}
	if a.State.Generation != n {
		differs("generation", matrix.OneResult, fmt.Sprint(n), fmt.Sprint(a.State.Generation))
	}
	if a.Marks {
		a.marks(batches, differs)
	}
	a.jobs(differs)
	return found
}

type differs func(about string, rule matrix.Rule, expected, seen string)

func (a Aftermath) marks(batches map[string]bool, differs differs) {
	var wrong []string
	for _, batch := range slices.Sorted(maps.Keys(batches)) {
		mark, there := a.State.Marks[batch]
		if !there || mark.Imported != len(a.Data.Shipment) || mark.BatchID != batch || mark.Lifetime {
			wrong = append(wrong, batch)
		}
	}
	for _, batch := range slices.Sorted(maps.Keys(a.State.Marks)) {
		if !batches[batch] {
			wrong = append(wrong, batch)
		}
	}
	if len(wrong) > 0 {
		differs("marks", matrix.MarkHoldsResult, "one with its result for each batch, for ever", "missing or wrong for "+some(wrong))
	}
}

func (a Aftermath) jobs(differs differs) {
	var going, failed, others []string
	for _, id := range slices.Sorted(maps.Keys(a.Jobs)) {
		job := a.Found[id]
		want := history.Result{Imported: len(a.Data.Shipment), BatchID: a.Jobs[id]}
		switch {
		case job == nil:
			others = append(others, id+" (no record)")
		case job.State == "failed":
			failed = append(failed, id)
		case job.State != "completed":
			going = append(going, id+" ("+job.State+")")
		case job.Result == nil || *job.Result != want:
			others = append(others, id+" ("+resultText(job.Result)+")")
		}
	}
	if len(going) > 0 {
		differs("jobs", matrix.RetryEnds, "all have ended", "still going: "+some(going))
	}
	if len(failed) > 0 {
		differs("jobs", matrix.RetryEnds, "all completed", "failed: "+some(failed))
	}
	if len(others) > 0 {
		differs("results", matrix.SameAnswer, "each job has the result of its batch", "others: "+some(others))
	}
}

// some names the first few and how many more there are.
func some(names []string) string {
	const most = 4
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
