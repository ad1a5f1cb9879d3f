package runner_test

import (
	"context"
	"sync"
	"testing"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// Two runs at the same time, each with an engine of its own, do not disturb each
// other: what they share is the built program and nothing else.
func TestTwoRunsAtOnce(t *testing.T) {
	stage, _ := matrix.FindStage("08")
	found := make([]results.Results, 2)
	errs := make([]error, 2)
	var both sync.WaitGroup
	for i := range found {
		redis := enginetest.Miniredis(t)
		both.Go(func() {
			found[i], errs[i] = runner.Run(t.Context(), runner.Options{
				Root: workbook, Stages: []matrix.Stage{stage}, Only: []string{matrix.BatchAB, matrix.DoubleWorker}, Seed: uint64(i),
				Redis:    func(context.Context) (*engine.Engine, error) { return redis, nil },
				Progress: func(string) {},
			})
		})
	}
	both.Wait()
	for i, r := range found {
		if errs[i] != nil {
			t.Errorf("run %d: %v", i, errs[i])
			continue
		}
		for _, cell := range r.Stages[0].Cells {
			if cell.Verdict != results.Holds {
				t.Errorf("run %d, %s: %s %+v", i, cell.Scenario, cell.Verdict, cell.Runs)
			}
		}
	}
}
