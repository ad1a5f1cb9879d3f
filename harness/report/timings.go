package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"example.com/importer/harness/results"
)

// slow is how many of the scenarios and checks are told by name.
const slow = 12

// Timings tells where the time of a run went: first by the clock, then the slowest scenarios
// and checks, of which most run side by side.
func Timings(w io.Writer, r results.Results) {
	t := r.Timings
	rows := newTable()
	row := func(name string, millis int64, more string) {
		rows.AppendRow(table.Row{"  ", name, inSeconds(millis), more})
	}
	row("Redis answers", t.Engine, "")
	for _, b := range t.Builds {
		row("build of stage "+b.Stage, b.Millis, "beside the others and Redis")
	}
	row("side by side", t.SideBySide, "")
	row("alone", t.Alone, "")
	row("second looks", t.Again, "")
	row("all", t.Total, "")
	fmt.Fprintf(w, "\nWhere the time went\n\n%s\n", rows.Render())

	all := timed(r)
	slices.SortStableFunc(all, func(a, b took) int { return int(b.millis - a.millis) })
	rows = newTable()
	for _, one := range all[:min(slow, len(all))] {
		rows.AppendRow(table.Row{"  ", one.name, inSeconds(one.millis), "of it waiting " + inSeconds(one.waited)})
	}
	fmt.Fprintf(w, "\nThe slowest of %d scenarios and checks\n\n%s\n", len(all), rows.Render())
}

// took is the time of one scenario or check.
type took struct {
	name           string
	millis, waited int64
}

func timed(r results.Results) []took {
	var all []took
	for _, stage := range r.Stages {
		for _, cell := range stage.Cells {
			for _, run := range cell.Runs {
				all = append(all, took{stage.ID + " " + cell.Scenario + " (" + run.Data + ")", run.Millis, run.Waited})
			}
		}
		for _, p := range stage.Promises {
			all = append(all, took{stage.ID + " " + p.Name, p.Millis, p.Waited})
		}
	}
	return all
}

func inSeconds(millis int64) string { return fmt.Sprintf("%.2f s", float64(millis)/1000) }
