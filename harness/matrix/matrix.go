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
	Cells []Cell // empty: not built yet
}

// Folder is the stage's folder below stages/.
func (s Stage) Folder() string { return s.ID + "-" + s.Name }

// Cell is what one scenario must show at one stage.
type Cell struct {
	Scenario string
	Right    []Want
}

// Stages is the whole declared matrix.
var Stages = []Stage{
	{ID: "05", Name: "queue-enqueue"},
	{ID: "06", Name: "worker"},
	{ID: "07", Name: "retries"},
	{ID: "08", Name: "idempotent-apply", Cells: []Cell{
		{BatchAB, batchABOnce},
		{LostResponse, lostResponseOnce},
		{DoubleWorker, doubleWorkerOnce},
	}},
}

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
