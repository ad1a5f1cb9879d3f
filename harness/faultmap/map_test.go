package faultmap_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/faultmap"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/runner/patched"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

const workbook = "../.."

// options for a map of the stage as it is in the workbook at root.
func options(t *testing.T, redis *engine.Engine, root, id string) faultmap.Options {
	t.Helper()
	stage, ok := matrix.FindStage(id)
	if !ok {
		t.Fatalf("no stage %s", id)
	}
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	program, _, err := runner.BuildStage(t.Context(), runner.Options{Root: root, Progress: func(line string) { t.Log(line) }}, stage)
	if err != nil {
		t.Fatal(err)
	}
	data, dir := dataset.Teaching(), t.TempDir()
	if err := data.Write(dir); err != nil {
		t.Fatal(err)
	}
	return faultmap.Options{Stage: stage, Config: world.Config{Engine: redis, Data: data, DataDir: dir, Stage: program}}
}

func draw(t *testing.T, o faultmap.Options) results.Map {
	t.Helper()
	m, err := faultmap.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// named lists the cells with a verdict.
func named(cells []results.MapCell, v results.Verdict) []string {
	names := []string{}
	for _, c := range cells {
		if c.Verdict == v {
			names = append(names, c.Name)
		}
	}
	return names
}

// The red cells are those that the lessons predict, and no others.
func TestTheMapOfEachStage(t *testing.T) {
	redis := enginetest.Container(t)
	for _, id := range matrix.IDs() {
		t.Run(id, func(t *testing.T) {
			o := options(t, redis, workbook, id)
			m := draw(t, o)
			cells := len(m.Worker)*len(faultmap.WorkerKinds) + len(m.Producer)*len(faultmap.ProducerKinds)
			if len(m.Cells) != cells || len(m.Producer) == 0 || o.Stage.Works != (len(m.Worker) > 0) {
				t.Errorf("%d cells of %d and %d commands", len(m.Cells), len(m.Worker), len(m.Producer))
			}
			for _, c := range m.Cells {
				_, schedule, err := faultmap.ParseCell(c.Name)
				if err != nil {
					t.Fatal(err)
				}
				want := results.Holds
				if faultmap.Expected(o.Stage, m.Worker, schedule[0]) {
					want = results.Gap
				}
				if c.Verdict != want {
					t.Errorf("%s: %s %s (%s), want %s\n%v", c.Name, c.Verdict, c.Outcome, c.Why, want, c.Story)
				}
			}
			taught(t, m)
			told(t, m)
		})
	}
}

// taught sees that the lesson of the stage shows this map.
func taught(t *testing.T, m results.Map) {
	t.Helper()
	lessons, err := filepath.Glob(filepath.Join(workbook, "lessons", m.Stage+"-*.md"))
	if err != nil || len(lessons) != 1 {
		t.Fatalf("lessons of stage %s: %v, %v", m.Stage, lessons, err)
	}
	lesson, err := os.ReadFile(lessons[0])
	if err != nil {
		t.Fatal(err)
	}
	if m.Stage == "05" {
		return // it has no worker, and its lesson no map
	}
	var text bytes.Buffer
	report.FaultMap(&text, m, false)
	for line := range strings.Lines(text.String()) {
		row := strings.TrimSpace(line)
		if step, _, _ := strings.Cut(row, " "); len(step) > 1 && strings.ContainsAny(step[:1], "kp") && step[1] <= '9' && !strings.Contains(string(lesson), row) {
			t.Errorf("%s lacks the row\n%s", lessons[0], row)
		}
	}
}

// Lesson 07 counts the cells of the maps that the lessons show.
func TestTheLessonCountsTheCells(t *testing.T) {
	texts := map[string]string{}
	for _, id := range []string{"06", "07"} {
		paths, err := filepath.Glob(filepath.Join(workbook, "lessons", id+"-*.md"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("lessons of stage %s: %v, %v", id, paths, err)
		}
		text, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		texts[id] = string(text)
	}
	outcomes := []results.Outcome{results.Once, results.Failed, results.Unknown, results.Partly, results.Twice}
	for id, text := range texts {
		counts, all := map[results.Outcome]int{}, 0
		for _, row := range mapRow.FindAllString(text, -1) {
			for _, word := range strings.Fields(row) {
				if outcome := results.Outcome(word); slices.Contains(outcomes, outcome) {
					counts[outcome]++
					all++
				}
			}
		}
		row := "| stage " + id
		for _, outcome := range outcomes {
			row += fmt.Sprintf(" | %d", counts[outcome])
		}
		if head := fmt.Sprintf("| of %d cells |", all); !strings.Contains(texts["07"], head) || !strings.Contains(texts["07"], row+" |\n") {
			t.Errorf("lesson 07 lacks %q or %q", head, row)
		}
	}
}

var mapRow = regexp.MustCompile(`(?m)^[kp][0-9]+ +[A-Z]+ .*$`)

// told sees that the stories in the lesson are what happened.
func told(t *testing.T, m results.Map) {
	t.Helper()
	lessons, _ := filepath.Glob(filepath.Join(workbook, "lessons", m.Stage+"-*.md"))
	lesson, err := os.ReadFile(lessons[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range storyBlock.FindAllStringSubmatch(string(lesson), -1) {
		i := slices.IndexFunc(m.Cells, func(c results.MapCell) bool { return c.Name == block[2] })
		if i < 0 {
			t.Errorf("%s tells of %s, which is no cell of stage %s", lessons[0], block[2], m.Stage)
			continue
		}
		write := map[string]func(io.Writer, results.MapCell){"story": report.Story, "mermaid": report.Mermaid}[block[1]]
		var text bytes.Buffer
		write(&text, withoutRenewals(m.Cells[i]))
		if diff := cmp.Diff(text.String(), block[3]); diff != "" {
			t.Errorf("%s of %s in %s (-happened +told):\n%s", block[1], block[2], lessons[0], diff)
		}
	}
}

// withoutRenewals leaves out what a worker sends only if the machine gives it little time.
func withoutRenewals(c results.MapCell) results.MapCell {
	c.Story = slices.Clone(c.Story)
	for i := range c.Story {
		c.Story[i].Text = strings.ReplaceAll(c.Story[i].Text, ", EVALSHA renew", "")
	}
	return c
}

var storyBlock = regexp.MustCompile("(?s)<!-- (story|mermaid): (\\S+) -->\n```[a-z]*\n(.*?)```")

// Two faults at two of the commands; all of them are for `harness map 08 --pairs`.
func TestPairs(t *testing.T) {
	o := options(t, enginetest.Miniredis(t), workbook, "08")
	o.Pairs, o.Cells = true, []string{"08/k2/kill-after", "08/k3/freeze", "08/k3/cut-after"}
	m := draw(t, o)
	if len(m.Cells) != 3 || len(m.Pairs) < 3*len(faultmap.WorkerKinds) {
		t.Fatalf("%d cells and %d pairs", len(m.Cells), len(m.Pairs))
	}
	for _, c := range append(m.Cells, m.Pairs...) {
		if c.Verdict != results.Holds {
			t.Errorf("%s: %s %s (%s)\n%v", c.Name, c.Verdict, c.Outcome, c.Why, c.Story)
		}
	}
}

// wrong is a workbook with one stage that is wrong on purpose.
func wrong(t *testing.T, id, patch string) string {
	t.Helper()
	stage, _ := matrix.FindStage(id)
	return patched.Workbook(t, workbook, stage, "../runner/testdata/wrong/"+patch+".patch")
}

// A wrong program turns red where theory has it.
func TestMapsOfWrongPrograms(t *testing.T) {
	redis := enginetest.Miniredis(t)
	for _, w := range []struct {
		patch, stage string
		red          []string
	}{
		// k3 is the script that adds, k4 the mark: in between, the stock has it and nobody knows.
		{"mark-in-second-command", "08", []string{"08/k3/cut-after", "08/k3/kill-after", "08/k4/cut-before", "08/k4/freeze", "08/k4/freeze-cut", "08/k4/kill-before"}},
		// k3 is the mark, k4 the script: in between, all believe it and the stock does not have it.
		{"mark-before-stock", "08", []string{"08/k3/cut-after", "08/k3/kill-after", "08/k4/cut-before", "08/k4/freeze-cut", "08/k4/kill-before"}},
		// A worker that lost its job fails it: seen where nothing had been written by then.
		{"finish-without-ownership", "06", []string{"06/k3/freeze-cut", "06/k4/freeze-cut"}},
	} {
		t.Run(w.patch, func(t *testing.T) {
			m := draw(t, options(t, redis, wrong(t, w.stage, w.patch), w.stage))
			red := named(m.Cells, results.Broken)
			slices.Sort(red)
			if diff := cmp.Diff(w.red, red); diff != "" {
				t.Errorf("red cells (-want +got):\n%s", diff)
				for _, c := range m.Cells {
					if c.Verdict == results.Broken {
						t.Logf("%s: %s %s\n%v", c.Name, c.Outcome, c.Why, c.Story)
					}
				}
			}
		})
	}
}

// A worker that takes over nothing is safe and useless: its job is stuck.
func TestStuck(t *testing.T) {
	o := options(t, enginetest.Miniredis(t), wrong(t, "08", "no-take-over"), "08")
	o.Cells, o.Patience = []string{"08/k3/kill-before"}, 3*time.Second
	m := draw(t, o)
	if c := m.Cells[0]; c.Outcome != results.Stuck || c.Verdict != results.Broken {
		t.Errorf("%s: %s %s (%s)", c.Name, c.Verdict, c.Outcome, c.Why)
	}
}

// Where not even an undisturbed job ends as it should there is nothing to compare with.
func TestUndisturbed(t *testing.T) {
	o := options(t, enginetest.Miniredis(t), wrong(t, "08", "mark-holds-true"), "08")
	_, err := faultmap.Run(t.Context(), o)
	if !errors.Is(err, faultmap.ErrUndisturbed) || !strings.Contains(err.Error(), "the job's result is imported 0") {
		t.Errorf("error %v", err)
	}
}

// What is known is not run again.
func TestResume(t *testing.T) {
	o := options(t, enginetest.Miniredis(t), workbook, "08")
	o.Cells = []string{"08/k3"}
	known := results.MapCell{Name: "08/k3/freeze", Verdict: results.Holds, Outcome: results.Once, Why: "as it was found"}
	o.Known = map[string]results.MapCell{known.Name: known}
	ran := make(chan string, 100)
	o.Finished = func(c results.MapCell) error { ran <- c.Name; return nil }
	m := draw(t, o)
	close(ran)
	again := slices.Sorted(func(yield func(string) bool) {
		for name := range ran {
			if !yield(name) {
				return
			}
		}
	})
	want := []string{"08/k3/cut-after", "08/k3/cut-before", "08/k3/freeze-cut", "08/k3/kill-after", "08/k3/kill-before"}
	if diff := cmp.Diff(want, again); diff != "" {
		t.Errorf("cells that were run (-want +got):\n%s", diff)
	}
	if !slices.ContainsFunc(m.Cells, func(c results.MapCell) bool { return cmp.Equal(c, known) }) {
		t.Errorf("the known cell is not in the map: %v", m.Cells)
	}
}
