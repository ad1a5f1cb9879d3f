// Package matrix declares what is run and what must be seen: stages, scenarios,
// and the steps of each with the state that each must show. It is pure data; a
// new stage or scenario is a row here and a file in package scenario.
package matrix

import "slices"

// The scenarios.
const (
	BatchAB      = "batch-ab"
	LostResponse = "lost-response"
	DoubleWorker = "double-worker"
)

// Scenario says what a scenario is about, in a line.
type Scenario struct {
	Name  string
	Title string
}

// Scenarios is the order in which they are reported.
var Scenarios = []Scenario{
	{BatchAB, "the same batch again, then another batch with the same rows"},
	{LostResponse, "the answer is lost after the work was done, and is asked for again"},
	{DoubleWorker, "a frozen worker wakes up after another one has done its job"},
}

// Stage is one stage of the workbook.
type Stage struct {
	ID    string // 05 to 08
	Name  string
	Works bool // it has a worker
	Marks bool // it marks the batches that it has applied
	Cells []Cell
}

// Folder is the stage's folder below stages/.
func (s Stage) Folder() string { return s.ID + "-" + s.Name }

// Cell is what one scenario must show at one stage.
type Cell struct {
	Scenario string
	Right    []Want // every step, as it would be right
	// Gap has the steps that this stage is known to get wrong, as it gets them.
	// Being right there after all is no fault.
	Gap []Want
	Why string // the gap in a sentence, and the lesson that explains it
	See string
}

// Stages is the whole declared matrix.
var Stages = []Stage{
	{ID: "05", Name: "queue-enqueue", Cells: []Cell{
		{Scenario: BatchAB, Right: batchABWaiting},
		{Scenario: LostResponse, Right: lostResponseWaiting},
		{Scenario: DoubleWorker, Right: doubleWorkerNone},
	}},
	{ID: "06", Name: "worker", Works: true, Cells: []Cell{
		{Scenario: BatchAB, Right: batchABOnce, Gap: batchABForgets, Why: jobIDForgets, See: lesson06 + "#a-job-id-forgets"},
		{Scenario: LostResponse, Right: lostResponseOnce, Gap: lostResponseUnknown,
			Why: "A lost reply is taken for a failure: the stock says 20/8/4 and the job says failed.", See: lesson06 + "#failed-or-unknown"},
		{Scenario: DoubleWorker, Right: doubleWorkerOnce, Gap: doubleWorkerTwice, Why: lockProtectsJob, See: lesson06 + "#two-workers-one-job"},
	}},
	{ID: "07", Name: "retries", Works: true, Cells: []Cell{
		{Scenario: BatchAB, Right: batchABOnce, Gap: batchABForgets, Why: jobIDForgets, See: lesson06 + "#a-job-id-forgets"},
		{Scenario: LostResponse, Right: lostResponseOnce, Gap: lostResponseTwice,
			Why: "The retry repeats an effect that had happened: the shipment is added again.", See: lesson07 + "#a-retry-can-do-harm"},
		{Scenario: DoubleWorker, Right: doubleWorkerOnce, Gap: doubleWorkerTwice, Why: lockProtectsJob, See: lesson06 + "#two-workers-one-job"},
	}},
	{ID: "08", Name: "idempotent-apply", Works: true, Marks: true, Cells: []Cell{
		{Scenario: BatchAB, Right: batchABOnce},
		{Scenario: LostResponse, Right: lostResponseOnce},
		{Scenario: DoubleWorker, Right: doubleWorkerOnce},
	}},
}

const (
	jobIDForgets    = "The job id is all that tells a repeat from an arrival, and it is forgotten with the job's record."
	lockProtectsJob = "The lock protects the job, and a worker that has lost it can still change the stock."
)

// FindStage returns the stage of this id.
func FindStage(id string) (Stage, bool) {
	i := slices.IndexFunc(Stages, func(s Stage) bool { return s.ID == id })
	if i < 0 {
		return Stage{}, false
	}
	return Stages[i], true
}

// IDs lists the stages' ids.
func IDs() []string {
	var ids []string
	for _, s := range Stages {
		ids = append(ids, s.ID)
	}
	return ids
}
