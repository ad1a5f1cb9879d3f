package report

import (
	"fmt"
	"io"
	"strings"

	"example.com/importer/harness/results"
)

// Storm tells what a storm came to.
func Storm(w io.Writer, s results.Storm, colour bool) {
	t := terminal{out: w, colour: colour}
	t.line("\nStorm over stage %s on %s, seed %d", whose(s.Stage, s.Name, s.Dir), s.Engine.Label, s.Seed)
	t.line("  %d requests for %d batches, %d jobs, %d workers", s.Asked, s.Batches, s.Jobs, s.Workers)
	var kinds []string
	for _, k := range s.Kinds {
		kinds = append(kinds, fmt.Sprintf("%s %d", k.Kind, k.Fired))
	}
	t.line("  %d of %d faults fired: %s", s.Fired, s.Planned, strings.Join(kinds, ", "))
	t.line("  %.1f s, %.0f jobs per second", float64(s.Millis)/1000, float64(s.Jobs)*1000/float64(max(1, s.Millis)))
	if len(s.Story) > 0 {
		t.line("")
		Story(w, results.MapCell{Story: s.Story})
	}
	t.line("\n  %s", t.paint(s.Verdict))
	if s.Reason != "" {
		t.line("    %s", s.Reason)
	}
	for _, f := range s.Findings {
		t.line("    %s\n      expected: %s\n      seen:     %s\n      rule:     %s\n      lesson:   lessons/%s", f.About, f.Expected, f.Seen, f.Rule, f.Lesson)
	}
	if len(s.Logs) > 0 {
		t.line("    last lines of the programs:")
		for _, line := range s.Logs {
			t.line("      | %s", line)
		}
	}
	if s.Engine.Rehearsal != "" {
		t.line("  %s", s.Engine.Rehearsal)
	}
}
