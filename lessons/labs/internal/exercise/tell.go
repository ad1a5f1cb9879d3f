package exercise

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Tell writes the results for a learner.
func Tell(w io.Writer, results []Result) error {
	var b strings.Builder
	solved := 0
	for _, r := range results {
		fmt.Fprintf(&b, "%s: %s\n", r.Exercise, r.Verdict)
		if r.Rehearsal != "" {
			fmt.Fprintf(&b, "  %s\n", r.Rehearsal)
		}
		if r.Says != "" {
			for line := range strings.Lines(r.Says) {
				b.WriteString(strings.TrimRight("  "+line, " \n") + "\n")
			}
		}
		if r.Verdict == Solved {
			solved++
			continue
		}
		fmt.Fprintf(&b, "  your files are in %s\n\n", filepath.ToSlash(filepath.Join("lessons/labs", work, r.Exercise.Lab, r.Exercise.Name)))
	}
	fmt.Fprintf(&b, "%d of %d solved\n", solved, len(results))
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
