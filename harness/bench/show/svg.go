package show

import (
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/template"

	"example.com/importer/harness/bench/figures"
)

//go:embed templates/bench.svg.tmpl
var svgTemplate string

// Sizes of the chart, in px.
const (
	chartWidth = 860
	labelWidth = 250
	barWidth   = 470 // of the longest bar
	barHeight  = 16
	barStep    = 24
)

// panel is a group of bars of one unit, with one scale.
type panel struct {
	title string
	names []string
}

var panels = []panel{
	{"Process, in hand at once", []string{
		"process/1/stage-06", "process/1/stage-07", "process/1/stage-08", "process/1/asynq", "process/1/limit",
		"process/16/stage-08", "process/16/asynq", "process/16/limit",
		"process/64/stage-08", "process/64/asynq", "process/64/limit",
	}},
	{"Enqueue over HTTP", []string{"enqueue/1/stage-08", "enqueue/1/asynq", "enqueue/64/stage-08", "enqueue/64/asynq"}},
	{"One apply inside Redis, by rows", []string{"apply/repeat", "apply/1", "apply/3", "apply/10", "apply/50", "apply/100"}},
}

// bar is one measure as it is drawn.
type bar struct {
	Label, Value, Hint, Class string
	Y, Middle, Width          int
	Low, High                 int // of the line from min to max
}

type heading struct {
	Text string
	Y    int
}

// SVG draws the figures: a bar for each median, a thin line from the smallest to the
// largest value, light or dark as the reader has it.
func SVG(w io.Writer, r figures.Results) error {
	measures := map[string]figures.Measure{}
	for _, m := range r.Measures {
		measures[m.Name] = m
	}
	var bars []bar
	var headings []heading
	y := 76
	for _, p := range panels {
		longest := 0.0
		for _, name := range p.names {
			if _, ok := measures[name]; !ok {
				return fmt.Errorf("draw %s: it was not measured", name)
			}
			longest = max(longest, measures[name].Max)
		}
		scale := func(v float64) int { return labelWidth + int(v/longest*barWidth) }
		y += 14
		headings = append(headings, heading{fmt.Sprintf("%s (%s)", p.title, measures[p.names[0]].Unit), y})
		y += 12
		for _, name := range p.names {
			m := measures[name]
			bars = append(bars, bar{
				Label: label(name), Value: Number(m.Median), Class: class(name), Y: y, Middle: y + barHeight/2,
				Hint:  fmt.Sprintf("%s: %s %s (%s to %s)", m.Title, Number(m.Median), m.Unit, Number(m.Min), Number(m.Max)),
				Width: scale(m.Median) - labelWidth, Low: scale(m.Min), High: scale(m.Max),
			})
			y += barStep
		}
		y += 14
	}
	chart, err := template.New("bench").Funcs(template.FuncMap{"escape": escape, "add": func(a, b int) int { return a + b }}).Parse(svgTemplate)
	if err != nil {
		return fmt.Errorf("read the chart's template: %w", err)
	}
	err = chart.Execute(w, map[string]any{
		"Width": chartWidth, "Height": y + 8, "Bars": bars, "Headings": headings,
		"LabelEnd": labelWidth - 10, "BarStart": labelWidth, "BarHeight": barHeight,
		"Subtitle": fmt.Sprintf("%s, %s, %d CPUs; medians of %d rounds, thin line: smallest to largest", r.Redis, r.Go, r.CPUs, r.Rounds),
	})
	if err != nil {
		return fmt.Errorf("draw the chart: %w", err)
	}
	return nil
}

// label is what stands before a bar: process/16/limit is "16, limit".
func label(name string) string {
	parts := strings.Split(name, "/")
	switch {
	case parts[0] == "apply" && parts[1] == "repeat":
		return "3 rows, a repeat"
	case parts[0] == "apply" && parts[1] == "1":
		return "1 row"
	case parts[0] == "apply":
		return parts[1] + " rows"
	case parts[2] == "limit":
		return parts[1] + ": apply without a queue"
	default:
		return parts[1] + ": " + strings.Replace(parts[2], "-", " ", 1)
	}
}

// class gives each of those who are compared a colour.
func class(name string) string {
	last := name[strings.LastIndex(name, "/")+1:]
	switch last {
	case "asynq", "limit", "repeat":
		return last
	case "stage-06", "stage-07":
		return "before"
	default:
		return "stage"
	}
}

func escape(s string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}
