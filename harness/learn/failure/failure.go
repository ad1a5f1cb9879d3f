// Package failure finds in the results of a stage what a learner should look at
// first.
package failure

import (
	"fmt"
	"slices"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Failure is one scenario or promise that did not hold.
type Failure struct {
	Name    string // of the scenario or promise
	Title   string
	Verdict results.Verdict // broken, not_run or error
	Reason  string          // of not_run and error, and of what broke without a finding
	// Findings are what was not as it must be; the first one is what to look at.
	Findings []results.Finding
	// Rule is the rule that the first finding names, or without findings the one that
	// the scenario or promise is there for.
	Rule matrix.Rule
}

// Of lists all failures of a stage, those first that others rest on: what an earlier
// stage promised, then the scenarios, then the promises of this stage. Broken ones
// come before those that could not be run. What an imitation of Redis cannot do is
// nobody's failure.
func Of(stage results.Stage, e results.Engine) []Failure {
	var all []Failure
	var from []string // the stage that each belongs to
	for _, p := range stage.Promises {
		declared := promise(p.Name)
		if !bad(p.Verdict) || p.Verdict == results.NotRun && e.Rehearsal != "" {
			continue
		}
		f := Failure{Name: p.Name, Title: p.Title, Verdict: p.Verdict, Reason: p.Reason, Findings: p.Findings, Rule: declared.Rule}
		f.ruleOfFirst()
		all, from = append(all, f), append(from, declared.From)
	}
	for _, c := range stage.Cells {
		if !bad(c.Verdict) {
			continue
		}
		f := Failure{Name: c.Scenario, Title: scenario(c.Scenario), Verdict: c.Verdict, Rule: ruleOfCell(stage.ID, c.Scenario)}
		for _, run := range c.Runs {
			if run.Verdict != c.Verdict {
				continue
			}
			if f.Reason == "" && run.Reason != "" {
				f.Reason = fmt.Sprintf("%s (%s data)", run.Reason, run.Data)
			}
			if len(f.Findings) == 0 {
				f.Findings = run.Findings
			}
		}
		f.ruleOfFirst()
		all, from = append(all, f), append(from, stage.ID+" cell")
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(stage.ID, all[a], from[a]) - rank(stage.ID, all[b], from[b]) })
	sorted := make([]Failure, len(all))
	for i, at := range order {
		sorted[i] = all[at]
	}
	return sorted
}

// ByName is the failure of this scenario or promise.
func ByName(stage results.Stage, e results.Engine, name string) (Failure, bool) {
	for _, f := range Of(stage, e) {
		if f.Name == name {
			return f, true
		}
	}
	return Failure{}, false
}

func bad(v results.Verdict) bool { return v != results.Holds && v != results.Gap }

func rank(stage string, f Failure, from string) int {
	place := 2 // a promise of this stage
	switch from {
	case stage:
	case stage + " cell":
		place = 1
	default:
		place = 0
	}
	if f.Verdict != results.Broken {
		place += 3
	}
	return place
}

func (f *Failure) ruleOfFirst() {
	if len(f.Findings) == 0 {
		return
	}
	i := slices.IndexFunc(matrix.Rules, func(r matrix.Rule) bool { return r.Sentence == f.Findings[0].Rule })
	if i >= 0 {
		f.Rule = matrix.Rules[i]
	}
}

// RuleOf is what a scenario or promise is there for at a stage; false if the stage has
// none of this name.
func RuleOf(stage matrix.Stage, name string) (matrix.Rule, bool) {
	for _, p := range matrix.PromisesOf(stage.ID) {
		if p.Name == name {
			return p.Rule, true
		}
	}
	for _, cell := range stage.Cells {
		if cell.Scenario == name {
			return ruleOfCell(stage.ID, name), true
		}
	}
	return matrix.Rule{}, false
}

// ruleOfCell is that repeats add nothing, if a step of the scenario is about it, and the
// rule of its first step otherwise.
func ruleOfCell(stage, scenario string) matrix.Rule {
	declared, _ := matrix.FindStage(stage)
	for _, cell := range declared.Cells {
		if cell.Scenario != scenario || len(cell.Right) == 0 {
			continue
		}
		for _, want := range cell.Right {
			if want.Rule == matrix.RepeatAddsNothing {
				return want.Rule
			}
		}
		return cell.Right[0].Rule
	}
	return matrix.Rule{}
}

func promise(name string) matrix.Promise {
	i := slices.IndexFunc(matrix.Promises, func(p matrix.Promise) bool { return p.Name == name })
	if i < 0 {
		return matrix.Promise{}
	}
	return matrix.Promises[i]
}

func scenario(name string) string {
	for _, s := range matrix.Scenarios {
		if s.Name == name {
			return s.Title
		}
	}
	return ""
}
