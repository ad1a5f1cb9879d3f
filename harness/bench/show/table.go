// Package show tells what was measured: as a table, as a chart, and as the part of a lesson
// that stands between two marks. Its functions are pure: results in, text out.
package show

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"example.com/importer/harness/bench/figures"
)

// Table writes everything for a terminal. It uses colour only if colour is true.
func Table(w io.Writer, r figures.Results, colour bool) {
	fmt.Fprintf(w, "\n%s, %s, %d CPUs, %d rounds\n", r.Redis, r.Go, r.CPUs, r.Rounds)
	rows := newTable("measured", "median", "min", "max", "")
	for _, m := range r.Measures {
		rows.AppendRow(table.Row{"  ", m.Title, Number(m.Median), Number(m.Min), Number(m.Max), m.Unit})
	}
	render(w, rows)
	rows = newTable("compared, in the same round", "median", "min", "max", "")
	for _, ratio := range r.Ratios {
		rows.AppendRow(table.Row{"  ", ratio.Title, Number(ratio.Median), Number(ratio.Min), Number(ratio.Max), "times"})
	}
	render(w, rows)
	rows = newTable("wanted", "bound", "seen", "", "")
	for _, t := range r.Targets {
		rows.AppendRow(table.Row{"  ", t.Title, t.Rule + " " + withUnit(t.Bound, t.Unit), withUnit(t.Seen, t.Unit), paint(t.Met, colour), ""})
	}
	render(w, rows)
	if r.Quick {
		fmt.Fprintln(w, "\n  a quick look: few and short rounds; figures to keep come from a full run")
	}
}

func newTable(heads ...string) table.Writer {
	rows := table.NewWriter()
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Box.PaddingLeft, style.Box.PaddingRight = "", "  "
	rows.SetStyle(style)
	head := table.Row{"  "}
	for _, h := range heads {
		head = append(head, h)
	}
	rows.AppendRow(head)
	var configs []table.ColumnConfig
	for column := 3; column <= 5; column++ {
		configs = append(configs, table.ColumnConfig{Number: column, Align: text.AlignRight})
	}
	rows.SetColumnConfigs(configs)
	return rows
}

func render(w io.Writer, rows table.Writer) {
	fmt.Fprintln(w)
	for line := range strings.Lines(rows.Render() + "\n") {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

// Number writes three digits that count, and not more.
func Number(v float64) string {
	switch {
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
}

func withUnit(v float64, unit string) string {
	if unit == "" {
		return Number(v)
	}
	return Number(v) + " " + unit
}

func met(ok bool) string {
	if ok {
		return "met"
	}
	return "missed"
}

func paint(ok, colour bool) string {
	if !colour {
		return met(ok)
	}
	colours := map[bool]text.Color{true: text.FgGreen, false: text.FgRed}
	return colours[ok].EscapeSeq() + met(ok) + text.Reset.EscapeSeq()
}
