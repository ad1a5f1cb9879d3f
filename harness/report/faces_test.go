package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

// hostile is what a program could say to be taken for a report.
const hostile = "\x00\x1b[2J\ufffe]]></failure><testcase name=\"forged\"/>\n| holds | `x` |\n```\n# forged\n<script>alert(1)</script> & \"'\r\n::error::forged\xff"

func graded() results.Results {
	finding := results.Finding{About: hostile, Expected: hostile, Seen: hostile, Rule: "A rule.", Lesson: "08.md#the-rule", Kind: results.Timeout}
	return results.Results{Format: results.Format, Seed: 7, Engine: results.Engine{Label: "Redis"}, Stages: []results.Stage{{
		ID: "08", Name: "idempotent-apply", Status: results.Status{Reason: "broken: " + hostile}, Points: &results.Points{Earned: 1, Of: 5},
		Cells: []results.Cell{{Scenario: "batch-ab", Verdict: results.Broken, Runs: []results.Run{
			{Data: "teaching", Verdict: results.Broken, Findings: []results.Finding{finding}, Logs: []string{hostile}},
			{Data: "seeded", Verdict: results.Holds},
		}}},
		Promises: []results.Promise{
			{Name: "seed", Title: hostile, Verdict: results.NotRun, Reason: hostile},
			{Name: "paths", Title: "paths", Verdict: results.Error, Reason: hostile},
			{Name: "stop", Title: "stop", Verdict: results.Holds, Points: &results.Points{Earned: 1, Of: 1}, Optional: true},
		},
	}}}
}

// Whatever a program says, the XML stays well formed and has the cases that there are.
func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	found := graded()
	stage := &found.Stages[0]
	stage.Promises = append(stage.Promises, results.Promise{
		Name: "batch-conflict", Verdict: results.Broken, Findings: stage.Cells[0].Runs[0].Findings, Optional: true,
	})
	if err := report.JUnit(&out, found); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
	}
	var read struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string   `xml:"name,attr"`
				Failure *outcome `xml:"failure"`
				Error   *outcome `xml:"error"`
				Skipped *outcome `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	suite := read.Suites[0]
	if suite.Tests != 6 || suite.Failures != 1 || suite.Errors != 1 || suite.Skipped != 2 || len(suite.Cases) != 6 {
		t.Errorf("got %+v", suite)
	}
	if failure := suite.Cases[0].Failure; failure == nil || failure.Type != "timeout" {
		t.Errorf("got %+v", suite.Cases[0])
	}
	if missed := suite.Cases[5]; missed.Failure != nil || missed.Skipped == nil || !strings.HasPrefix(missed.Skipped.Message, "not required; ") {
		t.Errorf("what the stage does not need is no failure; got %+v", missed)
	}
	decoder := xml.NewDecoder(&out)
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// In Markdown, nothing that a program says stands where it could be a row, a heading or
// an element: it is in a fence that it cannot close, or written as numbers.
func TestSummary(t *testing.T) {
	var out bytes.Buffer
	report.Summary(&out, graded())
	fence := ""
	for line := range strings.Lines(out.String()) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if trimmed == fence {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"):
			fence = strings.TrimRight(trimmed, "tex")
		case strings.Contains(line, "forged") && (strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "## Stage 08") || strings.ContainsAny(line, "<>\x1b")):
			t.Errorf("a forged line: %q", line)
		case strings.HasPrefix(trimmed, "| holds") && !strings.Contains(line, "`stop`"):
			t.Errorf("a forged row: %q", line)
		}
	}
	if fence != "" {
		t.Errorf("a fence is open at the end:\n%s", out.String())
	}
	for _, want := range []string{"**1 of 5 points.**", "Seed 7", "| holds | `stop`: stop | 1 of 1 (not required) |", "batch-ab"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, out.String())
		}
	}
}

// An annotation is one line, whatever stands in it.
func TestAnnotations(t *testing.T) {
	var out bytes.Buffer
	report.Annotations(&out, graded())
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) != 3 {
		t.Errorf("%d lines, want 3:\n%s", len(lines), out.String())
	}
	for i, begin := range []string{"::error title=stage 08%2C batch-ab (teaching data)%3A broken::", "::warning title=stage 08%2C seed%3A not_run::", "::error title=stage 08%2C paths%3A error::"} {
		if i < len(lines) && !strings.HasPrefix(lines[i], begin) {
			t.Errorf("line %d is %q, want it to begin with %q", i+1, lines[i], begin)
		}
	}
}

// What is to be typed again names the folder that was run.
func TestReplay(t *testing.T) {
	for dir, want := range map[string]string{
		"":        ".build/harness replay 08/k3/freeze",
		"work/08": ".build/harness replay 08/k3/freeze --dir work/08",
	} {
		if got := report.Replay("08/k3/freeze", dir); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
