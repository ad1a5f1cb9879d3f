package show

import (
	"bytes"
	"errors"
	"fmt"

	"example.com/importer/harness/bench/figures"
)

// The marks in a lesson between which the figures stand.
const (
	NoteBegin = "<!-- figures: written by make bench NOTE=1 -->"
	NoteEnd   = "<!-- end of figures -->"
)

// ErrNoMarks means that a text has no place for figures.
var ErrNoMarks = errors.New("the text must have the line " + NoteBegin + " once, and " + NoteEnd + " once behind it")

// Note puts the ratios and the targets between the marks of a lesson. Absolute figures are
// left out: they belong to one machine.
func Note(lesson []byte, r figures.Results) ([]byte, error) {
	before, rest, begins := bytes.Cut(lesson, []byte(NoteBegin+"\n"))
	_, after, ends := bytes.Cut(rest, []byte(NoteEnd+"\n"))
	if !begins || !ends || bytes.Contains(after, []byte(NoteBegin)) || bytes.Contains(after, []byte(NoteEnd)) {
		return nil, ErrNoMarks
	}
	var b bytes.Buffer
	b.Write(before)
	fmt.Fprintf(&b, "%s\n%s, %s, %d CPUs for Redis, programs and measuring together, %d rounds.\n\n", NoteBegin, r.Redis, r.Go, r.CPUs, r.Rounds)
	fmt.Fprintf(&b, "| compared, in the same round | median | min | max |\n|---|--:|--:|--:|\n")
	for _, ratio := range r.Ratios {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", ratio.Title, Number(ratio.Median), Number(ratio.Min), Number(ratio.Max))
	}
	fmt.Fprintf(&b, "\n| wanted | bound | seen | |\n|---|--:|--:|---|\n")
	for _, t := range r.Targets {
		fmt.Fprintf(&b, "| %s | %s %s | %s | %s |\n", t.Title, t.Rule, withUnit(t.Bound, t.Unit), withUnit(t.Seen, t.Unit), met(t.Met))
	}
	b.WriteString(NoteEnd + "\n")
	b.Write(after)
	return b.Bytes(), nil
}
