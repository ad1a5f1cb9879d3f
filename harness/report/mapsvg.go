package report

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"io"
	"strings"
	texttemplate "text/template"

	"example.com/importer/harness/results"
)

//go:embed templates/*.tmpl
var templates embed.FS

// The picture's measures, in pixels.
const (
	cellWidth, cellHeight = 86, 30
	labelWidth            = 270
	margin                = 20
	headHeight            = 84
	legendLine            = 22
)

// drawing is the grid with places.
type drawing struct {
	results.Map
	Title, Subtitle string
	Width, Height   int
	Heads           []placed
	Rows            []placed
	Cells           []placed
	Legend          []placed
}

// placed is a text at a place; Class is the outcome or verdict that colours it.
type placed struct {
	X, Y, Width, Height int
	Text, Class, Hint   string
	Second              string
}

// FaultMapSVG draws a map as a picture that stands alone and follows the reader's choice
// of light or dark.
func FaultMapSVG(w io.Writer, m results.Map) error {
	t, err := texttemplate.New("").Funcs(texttemplate.FuncMap{"escape": htmltemplate.HTMLEscapeString}).ParseFS(templates, "templates/map.svg.tmpl")
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, "map.svg.tmpl", draw(m))
}

func draw(m results.Map) drawing {
	g := newGrid(m)
	d := drawing{Map: m, Title: "Fault map of stage " + whose(m.Stage, m.Name, m.Dir), Subtitle: subtitle(m)}
	x := func(column int) int { return margin + labelWidth + column*cellWidth }
	y := func(row int) int { return margin + headHeight + row*cellHeight }
	for i, kind := range g.Kinds {
		d.Heads = append(d.Heads, placed{X: x(i) + cellWidth/2, Y: y(0) - 10, Text: kind})
	}
	for i, r := range g.Rows {
		d.Rows = append(d.Rows, placed{X: margin, Y: y(i) + 20, Text: r.ID, Second: r.Label})
		for j, c := range r.Cells {
			if c == nil {
				continue
			}
			d.Cells = append(d.Cells, placed{
				X: x(j) + 2, Y: y(i) + 2, Width: cellWidth - 4, Height: cellHeight - 4,
				Text: word(c), Class: word(c), Hint: c.Name + ": " + c.Why,
			})
		}
	}
	top := y(len(g.Rows)) + 28
	for _, line := range legend(m) {
		d.Legend = append(d.Legend, placed{X: margin, Y: top, Text: line[0], Class: line[0], Second: line[1]})
		top += legendLine
	}
	d.Width, d.Height = x(len(g.Kinds))+margin, top
	return d
}

func subtitle(m results.Map) string {
	text := "One job, one fault at one of its commands: what is left when all is quiet. " + m.Engine.Server
	if m.Engine.Rehearsal != "" {
		text += ", " + m.Engine.Rehearsal
	}
	return text
}

// legend are the outcomes that there are, each with what it means and how often.
func legend(m results.Map) [][2]string {
	var lines [][2]string
	for _, outcome := range results.Outcomes {
		one := count(m.Cells, func(c results.MapCell) bool { return c.Outcome == outcome })
		two := count(m.Pairs, func(c results.MapCell) bool { return c.Outcome == outcome })
		if one+two == 0 {
			continue
		}
		text := fmt.Sprintf("%s: %d of %d cells", meanings[outcome], one, len(m.Cells))
		if len(m.Pairs) > 0 {
			text += fmt.Sprintf(", %d of %d pairs", two, len(m.Pairs))
		}
		lines = append(lines, [2]string{string(outcome), text})
	}
	return lines
}

// page is what the HTML page is made from.
type page struct {
	drawing
	Grid  grid
	Words [][2]string
	Data  map[string]pageCell // by name, with pairs
	Pairs map[string][]string // by the name of the first fault: the cells with a second one
}

// pageCell is a cell for the page's script.
type pageCell struct {
	Word  string              `json:"word"`
	Why   string              `json:"why"`
	Story []results.StoryLine `json:"story"`
}

// FaultMapHTML draws a map as one page without anything from elsewhere: choose a cell and
// read its story.
func FaultMapHTML(w io.Writer, m results.Map) error {
	t, err := htmltemplate.New("").Funcs(htmltemplate.FuncMap{"word": word}).ParseFS(templates, "templates/map.html.tmpl")
	if err != nil {
		return err
	}
	p := page{drawing: draw(m), Grid: newGrid(m), Words: legend(m), Data: map[string]pageCell{}, Pairs: map[string][]string{}}
	for _, cells := range [][]results.MapCell{m.Cells, m.Pairs} {
		for _, c := range cells {
			p.Data[c.Name] = pageCell{word(&c), c.Why, c.Story}
			if first, _, isPair := strings.Cut(c.Name, "+"); isPair {
				p.Pairs[first] = append(p.Pairs[first], c.Name)
			}
		}
	}
	return t.ExecuteTemplate(w, "map.html.tmpl", p)
}
