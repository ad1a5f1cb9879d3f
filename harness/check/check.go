// Package check judges: a history goes in, a verdict and findings come out. Its
// functions are pure; they know neither Redis nor processes, and are tested on
// histories written by hand.
package check

import (
	"fmt"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Cell judges one run of a scenario by what its cell must show. A fault that did
// not fire proves nothing, whatever the stock is.
func Cell(stage matrix.Stage, cell matrix.Cell, story history.Story) results.Run {
	run := results.Run{Data: story.Data.Name}
	for _, step := range story.Steps {
		run.Steps = append(run.Steps, results.Step{Name: step.Name, Stock: story.Data.Line(step.State.Stock)})
	}
	for _, fault := range story.Faults {
		if !fault.Fired {
			run.Verdict, run.Reason = results.NotRun, "fault did not fire: "+fault.Name+": "+fault.Why
			return run
		}
		run.Faults = append(run.Faults, results.Fault{Name: fault.Name, Evidence: fault.Evidence})
	}
	if len(cell.Right) == 0 {
		run.Verdict, run.Reason = results.NotRun, "nothing is declared for this cell"
		return run
	}
	run.Verdict = results.Holds
	for _, want := range cell.Right {
		step, ok := story.Step(want.Step)
		if !ok {
			run.Verdict, run.Reason = results.NotRun, "the step was not reached: "+want.Step
			return run
		}
		wrong := findings(stage, want, step, story)
		switch {
		case len(wrong) == 0:
		case isGap(stage, cell, step, story):
			run.Verdict = results.Worst(run.Verdict, results.Gap)
			run.Gaps = append(run.Gaps, wrong...)
		default:
			run.Verdict = results.Broken
			run.Findings = append(run.Findings, wrong...)
		}
	}
	return run
}

// isGap says whether the step is wrong in exactly the way that the stage is known
// for.
func isGap(stage matrix.Stage, cell matrix.Cell, step history.Step, story history.Story) bool {
	for _, want := range cell.Gap {
		if want.Step == step.Name {
			return len(findings(stage, want, step, story)) == 0
		}
	}
	return false
}

// findings compares one step with what it must show.
func findings(stage matrix.Stage, want matrix.Want, step history.Step, story history.Story) []results.Finding {
	c := comparison{want: want, step: step, story: story}
	c.stock()
	c.titles()
	c.generation()
	if stage.Marks {
		c.marks()
	}
	c.shop()
	c.answers()
	c.job()
	c.records()
	return c.found
}

// comparison collects what differs.
type comparison struct {
	want  matrix.Want
	step  history.Step
	story history.Story
	found []results.Finding
}

func (c *comparison) differs(about string, rule matrix.Rule, expected, seen string) {
	c.found = append(c.found, results.Finding{
		Step: c.step.Name, About: about, Expected: expected, Seen: seen, Rule: rule.Sentence, Lesson: rule.Lesson, Kind: results.WrongAnswer,
	})
}

func arrivals(n int) string {
	switch n {
	case 0:
		return "nothing has arrived"
	case 1:
		return "the shipment is in it once"
	case 2:
		return "the shipment is in it twice"
	}
	return fmt.Sprintf("the shipment is in it %d times", n)
}
