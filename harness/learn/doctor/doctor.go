// Package doctor looks whether a machine has what the workbook needs, and says what to
// do about what is missing.
package doctor

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// State is how a thing is.
type State string

// The states.
const (
	OK      State = "ok"
	Note    State = "note"    // something can be better, and nothing is prevented by it
	NoProof State = "missing" // a stage can be rehearsed only, which proves nothing
	NoRun   State = "needed"  // nothing can be run
)

// Finding is what was found out about one thing.
type Finding struct {
	Thing string
	State State
	Seen  string
	Do    string // what to do; empty if all is well
}

// Check looks at one thing.
type Check func(context.Context, Machine) []Finding

// Checks is the order in which they are told.
var Checks = []Check{goTool, raceDetector, tools, docker, loopback, disk, folders}

// Machine is where to look.
type Machine struct {
	Workbook string // its folder
	GoMin    string // the oldest Go version that builds it, such as 1.26.0
}

// Examine looks at everything.
func Examine(ctx context.Context, m Machine) []Finding {
	var all []Finding
	for _, check := range Checks {
		all = append(all, check(ctx, m)...)
	}
	return all
}

// Worst says what the machine is good for: OK for proofs, NoProof for rehearsals, NoRun
// for nothing.
func Worst(findings []Finding) State {
	worst := OK
	for _, f := range findings {
		if f.State == NoRun || f.State == NoProof && worst == OK {
			worst = f.State
		}
	}
	return worst
}

// Write writes a line for each finding, and one that says what can be done here.
func Write(out io.Writer, findings []Finding, paint func(State, string) string) {
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, f := range findings {
		line := f.Seen
		if f.Do != "" {
			line += " → " + f.Do
		}
		// Padded before it is coloured: colours have no width.
		fmt.Fprintf(rows, "  %s\t%s\t%s\n", paint(f.State, fmt.Sprintf("%-7s", f.State)), f.Thing, oneLine(line))
	}
	rows.Flush()
	switch Worst(findings) {
	case NoRun:
		fmt.Fprintln(out, "\nNothing can be run here yet.")
	case NoProof:
		fmt.Fprintln(out, "\nStages can be rehearsed here. For a proof, see what is missing.")
	default:
		fmt.Fprintln(out, "\nStages can be run here, with proof.")
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
