package show_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/bench/figures"
	"example.com/importer/harness/bench/show"
)

func results(t *testing.T) figures.Results {
	t.Helper()
	var rounds []figures.Round
	for n := range 3 {
		round := figures.Round{}
		for i, m := range figures.Declared {
			round[m.Name] = float64(100 + 10*i + n)
		}
		rounds = append(rounds, round)
	}
	found, err := figures.Sum(figures.Results{Redis: "Redis <8>", Go: "go1.26", CPUs: 2}, rounds)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTableTellsEverything(t *testing.T) {
	r := results(t)
	var out strings.Builder
	show.Table(&out, r, false)
	for _, m := range r.Measures {
		if !strings.Contains(out.String(), m.Title) {
			t.Errorf("%q is not in the table", m.Title)
		}
	}
	for _, ratio := range r.Ratios {
		if !strings.Contains(out.String(), ratio.Title) {
			t.Errorf("%q is not in the table", ratio.Title)
		}
	}
	if got := strings.Count(out.String(), "missed"); got != len(r.Missed()) {
		t.Errorf("%d are told as missed, %d were:\n%s", got, len(r.Missed()), out.String())
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Error("there is colour in it")
	}
}

// The chart is XML that a browser reads, with a bar and its exact figures for each measure
// that it draws.
func TestSVG(t *testing.T) {
	var out bytes.Buffer
	if err := show.SVG(&out, results(t)); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for decoder := xml.NewDecoder(&out); ; {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, hint := range []string{
		"process, 16 in hand: stage 08: 201 jobs/s (200 to 202)", "apply in Redis, 100 rows: 341 µs (340 to 342)", "Redis &lt;8&gt;",
	} {
		if !strings.Contains(text, hint) {
			t.Errorf("%q is not in the chart", hint)
		}
	}
	if bars := strings.Count(text, `<rect class=`) - 1; bars != 21 {
		t.Errorf("there are %d bars, 21 are expected", bars)
	}
	if err := show.SVG(io.Discard, figures.Results{}); err == nil {
		t.Error("nothing measured was drawn")
	}
}

func TestNote(t *testing.T) {
	r := results(t)
	lesson := "# Costs\n\nbefore\n\n" + show.NoteBegin + "\nold\n" + show.NoteEnd + "\n\nafter\n"
	once, err := show.Note([]byte(lesson), r)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := show.Note(once, r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(once), string(twice)); diff != "" {
		t.Errorf("a second time changed it:\n%s", diff)
	}
	text := string(once)
	if !strings.HasPrefix(text, "# Costs\n\nbefore\n\n"+show.NoteBegin) || !strings.HasSuffix(text, show.NoteEnd+"\n\nafter\n") || strings.Contains(text, "old") {
		t.Errorf("what is around the figures was changed, or the old ones stayed:\n%s", text)
	}
	if !strings.Contains(text, "| process, 16 in hand: stage 08 to asynq | 0.95 | 0.95 | 0.95 |") {
		t.Errorf("the ratio is not in it:\n%s", text)
	}
	if strings.Contains(text, "jobs/s") {
		t.Error("there are absolute rates in it")
	}
	for name, wrong := range map[string]string{
		"no marks": "# Costs\n", "one mark": show.NoteBegin + "\n", "in the wrong order": show.NoteEnd + "\n" + show.NoteBegin + "\n",
		"twice": lesson + lesson,
	} {
		if _, err := show.Note([]byte(wrong), r); !errors.Is(err, show.ErrNoMarks) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
