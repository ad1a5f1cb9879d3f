package check

import (
	"fmt"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/results"
)

// Quiet is what is left of one job, asked for once, when nothing happens any more.
type Quiet struct {
	Data  dataset.Data
	Batch string
	State history.State
	Job   *history.Job // nil if there is no record of it
	Jobs  int          // records kept in all
	Works bool         // the stage has a worker
	Marks bool         // the stage marks what it has applied
	Stuck bool         // the job did not end in time
}

// Outcome judges what is left of one job. Safety is not enough: a job that never ends is
// an outcome of its own, because a worker that does nothing adds nothing twice.
func Outcome(q Quiet) (results.Outcome, string) {
	added, whole := q.Data.Arrivals(q.State.Stock)
	stock := q.Data.Line(q.State.Stock)
	state := "no record"
	if q.Job != nil {
		state = q.Job.State
	}
	switch {
	case len(q.State.Unreadable) > 0:
		return results.Partly, fmt.Sprintf("stock cannot be read: %v", q.State.Unreadable)
	case !q.Works:
		return waits(q, added, whole, state, stock)
	case q.Stuck:
		return results.Stuck, fmt.Sprintf("the job has not ended, it is in state %s; stock %s", state, stock)
	case !whole:
		return results.Partly, fmt.Sprintf("stock %s, which no whole number of arrivals gives", stock)
	case added > 1:
		return results.Twice, fmt.Sprintf("stock %s: %s", stock, arrivals(added))
	case q.State.Generation != added:
		return results.Partly, fmt.Sprintf("stock %s, and generation %d", stock, q.State.Generation)
	case added == 0 && state == "failed":
		return results.Failed, fmt.Sprintf("nothing was added, and the job says failed (%s)", q.Job.Error)
	case added == 0:
		return results.Lost, fmt.Sprintf("nothing was added, and the job says %s", state)
	case state != "completed":
		return results.Unknown, fmt.Sprintf("stock %s, and the job says %s", stock, state)
	}
	return agree(q, stock)
}

// waits judges a stage without a worker: one job is stored, and no more.
func waits(q Quiet, added int, whole bool, state, stock string) (results.Outcome, string) {
	switch {
	case !whole || added != 0:
		return results.Partly, "stock " + stock + ", and nobody works here"
	case q.Job == nil || state != "waiting":
		return results.Lost, "the job is not waiting, but in state " + state
	case q.Jobs != 1:
		return results.Twice, fmt.Sprintf("%d jobs wait for one request", q.Jobs)
	}
	return results.Once, "one job waits; stock " + stock
}

// agree sees that result, mark and stock tell the same.
func agree(q Quiet, stock string) (results.Outcome, string) {
	want := history.Result{Imported: len(q.Data.Shipment), BatchID: q.Batch}
	if q.Job.Result == nil || *q.Job.Result != want {
		return results.Unknown, fmt.Sprintf("stock %s, and the job's result is %s, not %s", stock, resultText(q.Job.Result), resultText(&want))
	}
	if !q.Marks {
		return results.Once, "stock " + stock + ", job completed"
	}
	mark, marked := q.State.Marks[q.Batch]
	switch {
	case !marked || len(q.State.Marks) != 1:
		return results.Partly, fmt.Sprintf("stock %s, and %d marks", stock, len(q.State.Marks))
	case mark.Imported != want.Imported || mark.BatchID != want.BatchID || mark.Lifetime:
		return results.Partly, fmt.Sprintf("stock %s, and the mark is %s", stock, mark.Raw)
	}
	return results.Once, "stock " + stock + ", job completed, mark and result agree"
}
