package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// sideBySide is the lesson in one table: the same scenario at every stage, with
// the stock of the teaching data at each step.
func (t terminal) sideBySide() {
	t.line("\nSide by side (lamp/notebook/pencil at each step)\n")
	rows := newTable()
	head := table.Row{"  ", ""}
	for _, stage := range t.results.Stages {
		head = append(head, stage.ID+" "+stage.Name)
	}
	rows.AppendRow(head)
	for _, scenario := range matrix.Scenarios {
		verdicts, stocks := table.Row{"  ", scenario.Name}, table.Row{"  ", ""}
		for _, stage := range t.results.Stages {
			verdict, stock := t.at(stage, scenario.Name)
			verdicts, stocks = append(verdicts, verdict), append(stocks, stock)
		}
		rows.AppendRow(verdicts)
		rows.AppendRow(stocks)
	}
	status := table.Row{"  ", "status"}
	for _, stage := range t.results.Stages {
		status = append(status, stage.Status.String())
	}
	rows.AppendRow(status)
	t.line("%s", rows.Render())
}

// at is a cell of the table: its verdict, and its stock step by step.
func (t terminal) at(stage results.Stage, scenario string) (verdict, stock string) {
	for _, cell := range stage.Cells {
		if cell.Scenario != scenario {
			continue
		}
		for _, run := range cell.Runs {
			if run.Data == "teaching" {
				var lines []string
				for _, step := range run.Steps {
					lines = append(lines, step.Stock)
				}
				stock = strings.Join(lines, "\n")
			}
		}
		return t.paint(cell.Verdict), stock
	}
	return "", ""
}

// newTable has columns and no lines.
func newTable() table.Writer {
	rows := table.NewWriter()
	rows.SetStyle(table.StyleLight)
	rows.Style().Options = table.OptionsNoBordersAndSeparators
	return rows
}
