// Package report writes results for people and programs. Its functions are pure:
// results in, text out.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Terminal writes the report that a learner reads. It uses colour only if colour
// is true.
func Terminal(w io.Writer, r results.Results, colour bool) {
	t := terminal{out: w, colour: colour, results: r}
	for _, stage := range r.Stages {
		t.stage(stage)
	}
	if len(r.Stages) > 1 {
		t.sideBySide()
	}
}

type terminal struct {
	out     io.Writer
	colour  bool
	results results.Results
}

func (t terminal) line(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

// paint colours a verdict. The word is there without the colour as well.
func (t terminal) paint(v results.Verdict) string {
	if !t.colour {
		return string(v)
	}
	colours := map[results.Verdict]text.Color{
		results.Holds: text.FgGreen, results.Gap: text.FgYellow, results.Broken: text.FgRed,
		results.NotRun: text.FgCyan, results.Error: text.FgMagenta,
	}
	return colours[v].EscapeSeq() + string(v) + text.Reset.EscapeSeq()
}

// whose names a stage, and the folder of its sources if that is not the reference's.
func whose(id, name, dir string) string {
	if dir == "" {
		return id + " " + name
	}
	return id + " " + name + " in " + dir
}

func (t terminal) stage(s results.Stage) {
	t.line("\nStage %s on %s%s", whose(s.ID, s.Name, s.Dir), t.results.Engine.Label, isolated(t.results.Isolation))
	if s.Fails != "" {
		t.line("\n  %s: %s (%s)", t.paint(results.Broken), s.Fails, kindText(s.Kind))
		if s.Failure != "" {
			t.line("%s", quoted(s.Failure))
		}
		t.points(s)
		t.line("\n  stage %s: %s", s.ID, s.Status)
		return // everything else fails for this reason and has nothing to add
	}
	for _, cell := range s.Cells {
		t.cell(s, cell)
	}
	t.promises(s)
	t.line("")
	if t.results.Engine.Rehearsal != "" {
		t.line("  %s", t.results.Engine.Rehearsal)
	}
	t.points(s)
	t.line("  stage %s: %s", s.ID, s.Status)
}

// points tells what the stage is worth in a grade, and how to run it with the same data.
func (t terminal) points(s results.Stage) {
	if s.Points == nil {
		return
	}
	t.line("  points: %s", pointsText(s.Points))
	if !t.results.Hidden {
		t.line("  seed:   %d", t.results.Seed)
	}
}

func (t terminal) cell(s results.Stage, cell results.Cell) {
	t.line("\n  %s: %s", cell.Scenario, title(cell.Scenario))
	rows := newTable()
	for _, step := range longest(cell.Runs) {
		row := table.Row{"   ", step.Name}
		for _, run := range cell.Runs {
			row = append(row, stockOf(run, step.Name))
		}
		rows.AppendRow(row)
	}
	last := table.Row{"   ", ""}
	for _, run := range cell.Runs {
		last = append(last, t.paint(run.Verdict)+" ("+run.Data+secondLook(run.Again)+")")
	}
	rows.AppendRow(last)
	t.line("%s", rows.Render())
	for _, run := range cell.Runs {
		if run.Data != "teaching" {
			continue // the same story once more; its evidence is in the JSON
		}
		for _, fault := range run.Faults {
			t.line("    evidence, %s:", fault.Name)
			for _, line := range fault.Evidence {
				t.line("      - %s", line)
			}
		}
	}
	t.gap(cell)
	told := results.Holds
	for _, run := range cell.Runs {
		if run.Verdict == told && run.Verdict == results.Broken {
			t.line("\n    %s: %s (%s data) likewise", t.paint(run.Verdict), cell.Scenario, run.Data)
			continue
		}
		t.trouble(s, cell.Scenario, run.Data+" data", run.Verdict, run.Reason, run.Findings, run.Logs)
		told = run.Verdict
	}
}

// gap tells what this stage gets wrong, as it is known to, and where that is
// explained.
func (t terminal) gap(cell results.Cell) {
	for _, run := range cell.Runs {
		if len(run.Gaps) == 0 {
			continue
		}
		t.line("    %s, %s data: %s", t.paint(results.Gap), run.Data, cell.Why)
		for _, f := range run.Gaps {
			t.line("      - at \"%s\" %s is %s; right would be %s", f.Step, f.About, f.Seen, f.Expected)
		}
		t.line("      lesson: lessons/%s", cell.See)
		return // the other data tells the same
	}
}

func (t terminal) promises(s results.Stage) {
	if len(s.Promises) == 0 {
		return
	}
	held := 0
	for _, p := range s.Promises {
		if p.Verdict == results.Holds {
			held++
		}
	}
	t.line("\n  promises: %d of %d held", held, len(s.Promises))
	for _, p := range s.Promises {
		t.line("    %s  %s: %s%s%s", t.paint(p.Verdict), p.Name, p.Title, optional(p.Optional), secondLook(p.Again))
	}
	for _, p := range s.Promises {
		t.trouble(s, p.Name, p.Title, p.Verdict, p.Reason, p.Findings, p.Logs)
	}
}

func optional(yes bool) string {
	if yes {
		return " (not required)"
	}
	return ""
}

// secondLook tells what was looked at twice, for want of time at first.
func secondLook(again string) string {
	if again == "" {
		return ""
	}
	return ", at a second look"
}

// trouble says what was expected, what was seen, which rule that breaks, where
// it is explained and how to see it again.
func (t terminal) trouble(s results.Stage, name, detail string, v results.Verdict, reason string, found []results.Finding, logs []string) {
	if v == results.Holds || v == results.Gap {
		return
	}
	t.line("\n    %s: %s (%s)", t.paint(v), name, detail)
	if reason != "" {
		t.line("      %s", reason)
	}
	for _, f := range found {
		if f.About != "" {
			t.line("      %s\n        expected: %s\n        seen:     %s", aboutOf(f), f.Expected, f.Seen)
		}
		t.line("        rule:     %s\n        lesson:   lessons/%s", f.Rule, f.Lesson)
	}
	if len(logs) > 0 {
		t.line("      last lines of the programs:")
		for _, line := range logs {
			t.line("        | %s", line)
		}
	}
	if s.Replay != "" {
		t.line("      again:    %s --only %s --seed %d", s.Replay, name, t.results.Seed)
	}
}

func title(scenario string) string {
	for _, s := range matrix.Scenarios {
		if s.Name == scenario {
			return s.Title
		}
	}
	return ""
}

// longest is the run that got furthest: its steps head the table's rows.
func longest(runs []results.Run) []results.Step {
	var steps []results.Step
	for _, run := range runs {
		if len(run.Steps) > len(steps) {
			steps = run.Steps
		}
	}
	return steps
}

func stockOf(run results.Run, step string) string {
	for _, s := range run.Steps {
		if s.Name == step {
			return s.Stock
		}
	}
	return "not reached"
}

// quoted puts somebody else's words behind a bar, so that none of their lines can pass
// for one of ours.
func quoted(s string) string {
	return "    | " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    | ")
}
