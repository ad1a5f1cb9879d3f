package watch

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"example.com/importer/harness/learn/failure"
	"example.com/importer/harness/learn/hint"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

const (
	mostErrors = 8 // lines of a compiler
	mostNames  = 6 // promises that did not hold
	mostLogs   = 4 // lines of a program
	mostWidth  = 150
)

// Screen writes what was found about a stage so that it fits on a screen: all
// verdicts, and of the failures the one to look at first. dir is where the stage lies,
// as a person types it. paint may colour a word that stands for a verdict.
func Screen(out io.Writer, found results.Results, dir string, paint func(results.Verdict, string) string) {
	stage := found.Stages[0]
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("Stage %s %s in %s on %s\n", stage.ID, stage.Name, dir, found.Engine.Label)
	if stage.Fails != "" {
		line("  %s: %s\n", paint(results.Broken, "broken"), stage.Fails)
		for _, text := range shortened(stage.Failure, dir) {
			line("  %s", text)
		}
		return
	}
	scenarios(out, stage, paint)
	held, noted := 0, ""
	var not []string
	for _, p := range stage.Promises {
		switch {
		case p.Verdict == results.Holds:
			held++
		case p.Verdict == results.NotRun && found.Engine.Rehearsal != "":
			noted = "; some need a real Redis"
		default:
			not = append(not, p.Name)
		}
	}
	if len(stage.Promises) > 0 {
		line("  promises: %d of %d held%s", held, len(stage.Promises), named(not)+noted)
	}
	failures := failure.Of(stage, found.Engine)
	if len(failures) == 0 {
		if found.Engine.Rehearsal != "" {
			line("\n  Nothing is broken. %s", cut(found.Engine.Rehearsal))
		} else {
			line("\n  Nothing is broken.%s", onward(stage))
		}
		return
	}
	first(out, stage, failures[0], paint)
}

// onward says what to do when a stage of one's own is done.
func onward(stage results.Stage) string {
	at := slices.IndexFunc(matrix.Stages, func(s matrix.Stage) bool { return s.ID == stage.ID })
	switch {
	case stage.Dir == "" || stage.Status.Reason != "" || at < 0:
		return ""
	case at+1 < len(matrix.Stages):
		return fmt.Sprintf(" Compare: make diff-own-%s. Go on: make start-%s", stage.ID, matrix.Stages[at+1].ID)
	default:
		return fmt.Sprintf(" Compare: make diff-own-%s. Go on: make map-%s DIR=%s", stage.ID, stage.ID, stage.Dir)
	}
}

func scenarios(out io.Writer, stage results.Stage, paint func(results.Verdict, string) string) {
	if len(stage.Cells) == 0 {
		return
	}
	// The verdicts are padded before they are coloured: colours have no width.
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, cell := range stage.Cells {
		var stocks []string
		for _, run := range cell.Runs {
			if run.Data != "teaching" {
				continue
			}
			for _, step := range run.Steps {
				stocks = append(stocks, step.Stock)
			}
		}
		fmt.Fprintf(rows, "  %s\t%s\t%s\n", cell.Scenario, paint(cell.Verdict, fmt.Sprintf("%-7s", cell.Verdict)), cut(strings.Join(stocks, "  ")))
	}
	rows.Flush()
}

func named(names []string) string {
	if len(names) == 0 {
		return ""
	}
	more := ""
	if n := len(names) - mostNames; n > 0 {
		names, more = names[:mostNames], fmt.Sprintf(" and %d more", n)
	}
	return "; not " + strings.Join(names, ", ") + more
}

func first(out io.Writer, stage results.Stage, f failure.Failure, paint func(results.Verdict, string) string) {
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("\n  %s: %s (%s)", paint(f.Verdict, string(f.Verdict)), f.Name, f.Title)
	if f.Reason != "" {
		line("    %s", cut(f.Reason))
	}
	if len(f.Findings) > 0 {
		found := f.Findings[0]
		at := ""
		if found.Step != "" {
			at = ", at \"" + found.Step + "\""
		}
		line("    %s%s\n      expected: %s\n      seen:     %s", found.About, at, cut(found.Expected), cut(firstLine(found.Seen)))
	}
	line("    rule:   %s\n    lesson: %s\n    help:   .build/harness hint %s %s", f.Rule.Sentence, hint.Section(f.Rule.Lesson), stage.ID, f.Name)
	if logs := logsOf(stage, f.Name); len(logs) > 0 {
		line("    last lines of the programs:")
		for _, text := range logs[max(0, len(logs)-mostLogs):] {
			line("    | %s", cut(noise.ReplaceAllString(text, "")))
		}
	}
}

func logsOf(stage results.Stage, name string) []string {
	for _, cell := range stage.Cells {
		for _, run := range cell.Runs {
			if cell.Scenario == name && len(run.Logs) > 0 && run.Verdict == cell.Verdict {
				return run.Logs
			}
		}
	}
	for _, p := range stage.Promises {
		if p.Name == name {
			return p.Logs
		}
	}
	return nil
}

// noise is what stands in every log line and tells nothing here.
var noise = regexp.MustCompile(`"(time|level)":"[^"]*",`)

// place is how the go tool names a place in the folder that it was called in.
var place = regexp.MustCompile(`^(?:\./)?([^\s:]+\.go:\d+)`)

// shortened keeps the first lines of a compiler's words, with places that can be
// clicked on from the working folder.
func shortened(text, dir string) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue // the name of the package
		}
		if match := place.FindStringSubmatchIndex(line); match != nil {
			line = path.Join(dir, line[match[2]:match[3]]) + line[match[1]:]
		}
		lines = append(lines, cut(line))
	}
	if n := len(lines) - mostErrors; n > 0 {
		lines = append(lines[:mostErrors], fmt.Sprintf("and %d more lines", n))
	}
	return lines
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// cut keeps a line from taking many on the screen.
func cut(text string) string {
	runes := []rune(text)
	if len(runes) <= mostWidth {
		return text
	}
	return string(runes[:mostWidth]) + "…"
}
