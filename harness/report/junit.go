package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"example.com/importer/harness/results"
)

// JUnit writes the results in the form that CI systems read: a suite for each stage, a
// case for each scenario with each data set and for each promise. What is broken is a
// failure, with its kind as the type, or skipped if the stage does not need it; trouble of the harness or the machine is an
// error; what proved nothing is skipped. encoding/xml replaces what XML cannot hold.
func JUnit(w io.Writer, r results.Results) error {
	suites := junitSuites{Name: "importer"}
	for _, stage := range r.Stages {
		suite := junitSuite{Name: "stage " + stage.ID + " " + stage.Name, Properties: []junitProperty{
			{"engine", r.Engine.Label}, {"status", stage.Status.String()},
		}}
		if !r.Hidden {
			suite.Properties = append(suite.Properties, junitProperty{"seed", fmt.Sprint(r.Seed)})
		}
		if stage.Points != nil {
			suite.Properties = append(suite.Properties, junitProperty{"points", pointsText(stage.Points)})
		}
		class := "stage" + stage.ID
		for _, cell := range stage.Cells {
			for _, run := range cell.Runs {
				c := junitCase{Class: class, Name: cell.Scenario + " (" + run.Data + " data)", Time: seconds(run.Millis)}
				c.judge(stage, cell.Optional, run.Verdict, run.Reason, run.Findings, run.Logs)
				suite.add(c)
			}
		}
		for _, p := range stage.Promises {
			c := junitCase{Class: class, Name: p.Name, Time: seconds(p.Millis)}
			c.judge(stage, p.Optional, p.Verdict, p.Reason, p.Findings, p.Logs)
			suite.add(c)
		}
		suites.Suites = append(suites.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// The elements that the readers of JUnit XML agree on.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Name    string       `xml:"name,attr"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitOutcome `xml:"failure"`
		Error   *junitOutcome `xml:"error"`
		Skipped *junitOutcome `xml:"skipped"`
	}
	junitOutcome struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (c *junitCase) judge(stage results.Stage, optional bool, v results.Verdict, reason string, found []results.Finding, logs []string) {
	switch v {
	case results.Broken:
		c.Failure = &junitOutcome{Type: string(kindOf(stage, found)), Message: headline(reason, found), Text: details(found, logs)}
		if stage.Fails != "" {
			c.Failure.Text = stage.Failure
		}
		if optional && stage.Fails == "" {
			c.Failure, c.Skipped = nil, &junitOutcome{Message: "not required; " + c.Failure.Message, Text: c.Failure.Text}
		}
	case results.Error:
		c.Error = &junitOutcome{Type: "harness", Message: orElse(reason, "the harness or the machine had trouble")}
	case results.NotRun:
		c.Skipped = &junitOutcome{Message: orElse(reason, "nothing was proven")}
	}
}

// kindOf is the kind of a failure: that of its first finding, or that of a stage which
// fails before anything can be looked at.
func kindOf(stage results.Stage, found []results.Finding) results.Kind {
	if len(found) > 0 {
		return found[0].Kind
	}
	return stage.Kind
}

// headline is a failure in a line.
func headline(reason string, found []results.Finding) string {
	if len(found) == 0 {
		return reason
	}
	f := found[0]
	if f.About == "" {
		return f.Rule
	}
	return fmt.Sprintf("%s: expected %s, seen %s", f.About, f.Expected, f.Seen)
}

// details is all that there is to say about a failure.
func details(found []results.Finding, logs []string) string {
	var b strings.Builder
	for _, f := range found {
		if f.About != "" {
			fmt.Fprintf(&b, "%s\n  expected: %s\n  seen:     %s\n", aboutOf(f), f.Expected, f.Seen)
		}
		fmt.Fprintf(&b, "  rule:     %s\n  lesson:   lessons/%s\n", f.Rule, f.Lesson)
	}
	for _, line := range logs {
		b.WriteString("| " + line + "\n")
	}
	return b.String()
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

func seconds(millis int64) string { return fmt.Sprintf("%.3f", float64(millis)/1000) }

func pointsText(p *results.Points) string { return fmt.Sprintf("%d of %d", p.Earned, p.Of) }
