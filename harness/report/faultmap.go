package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"example.com/importer/harness/results"
)

// meanings says what the outcomes are, for legends.
var meanings = map[results.Outcome]string{
	results.Once:    "added once, and all that is kept agrees",
	results.Failed:  "nothing added, and the job says failed",
	results.Unknown: "added, and the job does not say so",
	results.Partly:  "stock, generation and mark do not agree",
	results.Twice:   "added more than once",
	results.Lost:    "nothing added, and nothing says so",
	results.Stuck:   "the job never ends",
}

var outcomeColours = map[results.Outcome]text.Color{
	results.Once: text.FgGreen, results.Failed: text.FgYellow, results.Unknown: text.FgRed,
	results.Partly: text.FgRed, results.Twice: text.FgHiRed, results.Lost: text.FgMagenta, results.Stuck: text.FgMagenta,
}

// grid is a map of one fault each as rows and columns.
type grid struct {
	Kinds []string
	Rows  []gridRow
}

type gridRow struct {
	ID, Label string
	Cells     []*results.MapCell // one for each kind; nil where there is no such cell
}

// newGrid arranges the cells with one fault.
func newGrid(m results.Map) grid {
	var g grid
	column := map[string]int{}
	row := map[string]int{}
	for _, step := range append(append([]results.MapStep{}, m.Worker...), m.Producer...) {
		row[step.ID] = len(g.Rows)
		g.Rows = append(g.Rows, gridRow{ID: step.ID, Label: step.Label})
	}
	for i := range m.Cells {
		parts := strings.Split(m.Cells[i].Name, "/")
		if len(parts) != 3 {
			continue
		}
		r, known := row[parts[1]]
		if !known {
			continue
		}
		if _, known := column[parts[2]]; !known {
			column[parts[2]] = len(g.Kinds)
			g.Kinds = append(g.Kinds, parts[2])
		}
		cells := &g.Rows[r].Cells
		for len(*cells) <= column[parts[2]] {
			*cells = append(*cells, nil)
		}
		(*cells)[column[parts[2]]] = &m.Cells[i]
	}
	return g
}

// word is what stands in a cell.
func word(c *results.MapCell) string {
	switch {
	case c == nil:
		return ""
	case c.Outcome == "":
		return string(c.Verdict)
	}
	return string(c.Outcome)
}

// FaultMap draws a map for a terminal.
func FaultMap(w io.Writer, m results.Map, colour bool) {
	fmt.Fprintf(w, "\nFault map of stage %s on %s\n", whose(m.Stage, m.Name, m.Dir), m.Engine.Label)
	fmt.Fprintf(w, "One job, one fault at one of its commands: what is left when all is quiet.\n\n")
	g := newGrid(m)
	rows := newTable()
	head := table.Row{"  ", "", ""}
	for _, kind := range g.Kinds {
		head = append(head, kind)
	}
	rows.AppendRow(head)
	for _, r := range g.Rows {
		line := table.Row{"  ", r.ID, r.Label}
		for _, c := range r.Cells {
			line = append(line, paintOutcome(c, colour))
		}
		rows.AppendRow(line)
	}
	for line := range strings.Lines(rows.Render() + "\n") {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
	fmt.Fprintln(w)
	all := append(append([]results.MapCell{}, m.Cells...), m.Pairs...)
	for _, outcome := range results.Outcomes {
		if n := count(all, func(c results.MapCell) bool { return c.Outcome == outcome }); n > 0 {
			fmt.Fprintf(w, "  %-8s %4d  %s\n", outcome, n, meanings[outcome])
		}
	}
	for _, cells := range [][]results.MapCell{m.Cells, m.Pairs} {
		faults(w, cells, m.Dir)
	}
	if m.Millis > 0 {
		fmt.Fprintf(w, "\n  %d cells in %.1f s, %.1f cells per second\n", len(all), float64(m.Millis)/1000, float64(len(all))*1000/float64(m.Millis))
	}
	if m.Engine.Rehearsal != "" {
		fmt.Fprintf(w, "  %s\n", m.Engine.Rehearsal)
	}
}

// faults lists what is not as it must be: cells that this stage has no excuse for, and
// those that proved nothing.
func faults(w io.Writer, cells []results.MapCell, dir string) {
	const most = 12
	told := 0
	for _, c := range cells {
		if c.Verdict == results.Holds || c.Verdict == results.Gap {
			continue
		}
		if told++; told <= most {
			fmt.Fprintf(w, "\n  %s: %s %s\n    %s\n    its story: %s\n", c.Verdict, c.Name, c.Outcome, c.Why, Replay(c.Name, dir))
		}
	}
	if told > most {
		fmt.Fprintf(w, "\n  and %d more\n", told-most)
	}
}

func paintOutcome(c *results.MapCell, colour bool) string {
	if !colour || c == nil || c.Outcome == "" {
		return word(c)
	}
	return outcomeColours[c.Outcome].EscapeSeq() + word(c) + text.Reset.EscapeSeq()
}

func count(cells []results.MapCell, that func(results.MapCell) bool) int {
	n := 0
	for _, c := range cells {
		if that(c) {
			n++
		}
	}
	return n
}
