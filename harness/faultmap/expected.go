package faultmap

import (
	"slices"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Expected says whether theory has the cell go wrong at a stage that adds row by row and
// keeps no mark: this is what the lessons 06 and 07 predict.
//
// Whatever ends an attempt after a write of it was executed and before its finish was:
// somebody begins again and adds once more, or nobody does and the rest is missing. And a
// worker that is frozen once it has come to the stock goes on when it wakes up, although
// another one has done the job: no command of the stock asks who owns the job.
//
// At stage 06 a job whose attempt fails is failed; where nothing had been written this is
// honest, and it is no import either.
func Expected(stage matrix.Stage, worker []results.MapStep, f Fault) bool {
	if f.Side == Producer || !stage.Works || stage.Marks {
		return false
	}
	at := worker[f.Step-1]
	firstStock := slices.IndexFunc(worker, func(s results.MapStep) bool { return s.Stock }) + 1
	if f.Kind == Freeze {
		return f.Step >= firstStock
	}
	executed := f.Step - 1
	if f.Kind == CutAfter || f.Kind == KillAfter {
		executed = f.Step
	}
	written := slices.ContainsFunc(worker[:executed], func(s results.MapStep) bool { return s.Writes })
	if written {
		return executed < len(worker)
	}
	cut := f.Kind == CutBefore || f.Kind == CutAfter
	return stage.ID == "06" && cut && at.Stock
}
