package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"example.com/importer/harness/results"
)

// Summary writes the results as Markdown for the summary page of a GitHub job.
func Summary(w io.Writer, r results.Results) {
	for _, stage := range r.Stages {
		fmt.Fprintf(w, "## Stage %s %s: %s\n\n", stage.ID, stage.Name, plain(stage.Status.String()))
		fmt.Fprintf(w, "On %s%s.", plain(r.Engine.Label), plain(isolated(r.Isolation)))
		if stage.Points != nil {
			fmt.Fprintf(w, " **%s points.**", pointsText(stage.Points))
		}
		if !r.Hidden {
			fmt.Fprintf(w, " Seed %d.", r.Seed)
		}
		fmt.Fprint(w, "\n\n")
		if stage.Fails != "" {
			fmt.Fprintf(w, "**%s** (%s)\n\n%s\n", plain(stage.Fails), kindText(stage.Kind), block(stage.Failure))
			continue
		}
		fmt.Fprint(w, "| | check | points |\n|---|---|---|\n")
		for _, cell := range stage.Cells {
			summaryRow(w, cell.Verdict, cell.Scenario, title(cell.Scenario), cell.Points, cell.Optional)
		}
		for _, p := range stage.Promises {
			summaryRow(w, p.Verdict, p.Name, p.Title, p.Points, p.Optional)
		}
		fmt.Fprint(w, "\n")
		each(stage, func(name string, v results.Verdict, reason string, found []results.Finding, logs []string) {
			fmt.Fprintf(w, "### %s: %s\n\n", v, plain(name))
			if reason != "" {
				fmt.Fprintf(w, "%s\n\n", plain(reason))
			}
			if text := details(found, logs); text != "" {
				fmt.Fprintf(w, "%s\n", block(text))
			}
		})
	}
}

func summaryRow(w io.Writer, v results.Verdict, name, title string, points *results.Points, optional bool) {
	worth := ""
	if points != nil {
		worth = pointsText(points)
	}
	if optional {
		worth += " (not required)"
	}
	fmt.Fprintf(w, "| %s | `%s`: %s | %s |\n", v, name, plain(title), worth)
}

// Annotations writes what is wrong as workflow commands of GitHub, one line each.
func Annotations(w io.Writer, r results.Results) {
	for _, stage := range r.Stages {
		if stage.Fails != "" {
			annotate(w, "error", "stage "+stage.ID+": "+stage.Fails, stage.Failure)
			continue
		}
		each(stage, func(name string, v results.Verdict, reason string, found []results.Finding, _ []string) {
			level := "error"
			if v == results.NotRun {
				level = "warning"
			}
			annotate(w, level, "stage "+stage.ID+", "+name+": "+string(v), orElse(headline(reason, found), string(v)))
		})
	}
}

// each visits what is wrong in a stage, or was not proven.
func each(stage results.Stage, visit func(name string, v results.Verdict, reason string, found []results.Finding, logs []string)) {
	wrong := func(v results.Verdict) bool { return v != results.Holds && v != results.Gap }
	for _, cell := range stage.Cells {
		for _, run := range cell.Runs {
			if wrong(run.Verdict) {
				visit(cell.Scenario+" ("+run.Data+" data)", run.Verdict, run.Reason, run.Findings, run.Logs)
			}
		}
	}
	for _, p := range stage.Promises {
		if wrong(p.Verdict) {
			visit(p.Name, p.Verdict, p.Reason, p.Findings, p.Logs)
		}
	}
}

// The characters that a workflow command needs for itself.
var (
	annotationText  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	annotationTitle = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(w io.Writer, level, title, text string) {
	fmt.Fprintf(w, "::%s title=%s::%s\n", level, annotationTitle.Replace(title), annotationText.Replace(text))
}

// plain is a text that Markdown and HTML leave as it is: every sign is written as the
// number of its character, which neither of them takes for anything else.
func plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\r':
			b.WriteByte(' ')
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}

// block is a longer text as it stands: in a fence that is longer than any run of
// backticks in it.
func block(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// kindText is a kind of failure in words.
func kindText(k results.Kind) string {
	switch k {
	case results.BuildFailure:
		return "there is no program to run"
	case results.NeverListened:
		return "the server never said where it listens"
	case results.Crash:
		return "a program ended early"
	case results.Timeout:
		return "too late"
	}
	return "wrong"
}

// aboutOf is what a finding is about, where in the story, and of which kind it is.
func aboutOf(f results.Finding) string {
	about := f.About
	if f.Step != "" {
		about += " at \"" + f.Step + "\""
	}
	if f.Kind != "" && f.Kind != results.WrongAnswer {
		about += " (" + kindText(f.Kind) + ")"
	}
	return about
}
