// Package progress keeps how far a learner has come in each stage.
package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"text/tabwriter"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Format is the version of the file.
const Format = "importer-progress/1"

// ErrUnreadable says that a file holds no progress, or that of another version.
var ErrUnreadable = errors.New("the kept progress cannot be read")

// Progress is how far each stage is that was run in work/NN.
type Progress struct {
	Format string  `json:"format"`
	Stages []Stage `json:"stages"` // in the order of their ids
}

// Stage is how far one stage is, as its last whole run found it.
type Stage struct {
	ID        string `json:"id"`
	Digest    string `json:"digest"` // of the sources that were run
	Fails     string `json:"fails,omitempty"`
	Scenarios Count  `json:"scenarios"` // those with a known gap count as well
	Promises  Count  `json:"promises"`
	Server    string `json:"server"`
	Rehearsal bool   `json:"rehearsal,omitempty"` // it was no real Redis, and nothing is proven
	Run       bool   `json:"run"`                 // the stage is complete, with proof
}

// Count is so many of so many.
type Count struct {
	Held int `json:"held"`
	Of   int `json:"of"`
}

func (c Count) String() string { return fmt.Sprintf("%d of %d", c.Held, c.Of) }

// Of takes from the results of a stage what is kept.
func Of(s results.Stage, e results.Engine) Stage {
	kept := Stage{ID: s.ID, Digest: s.Digest, Fails: s.Fails, Server: e.Server, Rehearsal: e.Rehearsal != "", Run: s.Status.Run}
	kept.Scenarios.Of, kept.Promises.Of = len(s.Cells), len(s.Promises)
	for _, c := range s.Cells {
		if c.Verdict == results.Holds || c.Verdict == results.Gap {
			kept.Scenarios.Held++
		}
	}
	for _, p := range s.Promises {
		if p.Verdict == results.Holds {
			kept.Promises.Held++
		}
	}
	return kept
}

// Set replaces what is known of a stage.
func (p *Progress) Set(s Stage) {
	p.Format = Format
	p.Stages = slices.DeleteFunc(p.Stages, func(old Stage) bool { return old.ID == s.ID })
	p.Stages = append(p.Stages, s)
	slices.SortFunc(p.Stages, func(a, b Stage) int { return bytes.Compare([]byte(a.ID), []byte(b.ID)) })
}

// Find is what is known of a stage; false if nothing is.
func (p Progress) Find(id string) (Stage, bool) {
	i := slices.IndexFunc(p.Stages, func(s Stage) bool { return s.ID == id })
	if i < 0 {
		return Stage{}, false
	}
	return p.Stages[i], true
}

// Read reads a file of progress; without one there is none yet. ErrUnreadable,
// wrapped, if it holds anything else.
func Read(path string) (Progress, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Progress{Format: Format}, nil
	}
	if err != nil {
		return Progress{}, fmt.Errorf("read the kept progress: %w", err)
	}
	var p Progress
	if err := json.Unmarshal(content, &p); err != nil {
		return Progress{}, fmt.Errorf("%w: %v", ErrUnreadable, err)
	}
	if p.Format != Format {
		return Progress{}, fmt.Errorf("%w: its format is %q, this harness knows %q", ErrUnreadable, p.Format, Format)
	}
	for _, s := range p.Stages {
		if _, known := matrix.FindStage(s.ID); !known || s.Scenarios.Held > s.Scenarios.Of || s.Promises.Held > s.Promises.Of {
			return Progress{}, fmt.Errorf("%w: stage %q cannot be as it says", ErrUnreadable, s.ID)
		}
	}
	return p, nil
}

// Encode is the file's content.
func (p Progress) Encode() ([]byte, error) {
	content, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the progress: %w", err)
	}
	return append(content, '\n'), nil
}

// Now is what a stage's folder looks like at present.
type Now struct {
	There  bool
	Digest string // empty if it cannot be told
}

// Line is how far a stage is, in a few words.
func (s Stage) Line(now Now) string {
	var line string
	switch {
	case s.Fails != "":
		line = s.Fails
	default:
		line = fmt.Sprintf("scenarios %v, promises %v", s.Scenarios, s.Promises)
	}
	switch {
	case s.Run:
		line += ": complete, on " + s.Server
	case s.Rehearsal:
		line += ", rehearsed"
	}
	if now.There && now.Digest != s.Digest {
		line += " (changed since)"
	}
	return line
}

// Table writes all stages.
func (p Progress) Table(out io.Writer, now func(id string) Now) {
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, stage := range matrix.Stages {
		there := now(stage.ID)
		kept, known := p.Find(stage.ID)
		line := kept.Line(there)
		switch {
		case !there.There && known:
			line += "; work/" + stage.ID + " is not there any more"
		case !there.There:
			line = "not begun: make start-" + stage.ID
		case !known:
			line = "begun, and not run yet: make watch-" + stage.ID
		}
		fmt.Fprintf(rows, "  %s\t%s\t%s\n", stage.ID, stage.Name, line)
	}
	rows.Flush()
}
