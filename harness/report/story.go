package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"example.com/importer/harness/results"
)

// Replay is the command that runs a cell or a kept storm again, on the sources in dir if that
// is not empty.
func Replay(what, dir string) string {
	command := ".build/harness replay " + what
	if dir != "" {
		command += " --dir " + dir
	}
	return command
}

// Story tells one cell of a fault map in lanes, one thing that happened a line.
func Story(w io.Writer, cell results.MapCell) {
	width := 0
	for _, line := range cell.Story {
		width = max(width, len([]rune(line.Lane)))
	}
	for _, line := range cell.Story {
		arrow := "           "
		switch {
		case line.Lost:
			arrow = " -x  " + pad(line.To, 6)
		case line.To != "":
			arrow = " ->  " + pad(line.To, 6)
		}
		lane := pad(line.Lane, width)
		for part := range strings.Lines(text.WrapSoft(line.Text, storyWidth)) {
			fmt.Fprintf(w, "  %s%s  %s\n", lane, arrow, strings.TrimRight(part, " \n"))
			lane, arrow = pad("", width), pad("", len(arrow))
		}
	}
}

// storyWidth is how much of what happened stands on one line.
const storyWidth = 78

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-len([]rune(s))))
}

// Mermaid is the story as a sequence diagram in the language of Mermaid.
func Mermaid(w io.Writer, cell results.MapCell) {
	fmt.Fprintln(w, "sequenceDiagram")
	ids := map[string]string{}
	for _, lane := range lanes(cell.Story) {
		ids[lane] = strings.ReplaceAll(lane, " ", "")
		fmt.Fprintf(w, "    participant %s as %s\n", ids[lane], lane)
	}
	for _, line := range cell.Story {
		text := mermaidText(line.Text)
		switch {
		case line.Lost:
			fmt.Fprintf(w, "    %s-x%s: %s\n", ids[line.Lane], ids[line.To], text)
		case line.To != "":
			fmt.Fprintf(w, "    %s->>%s: %s\n", ids[line.Lane], ids[line.To], text)
		default:
			fmt.Fprintf(w, "    Note over %s: %s\n", ids[line.Lane], text)
		}
	}
}

// mermaidText is text that ends no statement and begins no entity.
func mermaidText(text string) string {
	return strings.NewReplacer(";", "#59;", "#", "#35;", "\n", " ").Replace(text)
}

// lanes are those of a story from left to right: who asks first, and Redis last.
func lanes(story []results.StoryLine) []string {
	var list []string
	add := func(lane string) {
		if lane != "" && !slices.Contains(list, lane) {
			list = append(list, lane)
		}
	}
	const last = "Redis"
	for _, line := range story {
		for _, lane := range []string{line.Lane, line.To} {
			if lane != last {
				add(lane)
			}
		}
	}
	return append(list, last)
}
