package watch

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

var update = flag.Bool("update", false, "write the golden files anew")

// names are four promises of stage 08, and eight of stages before it.
var names = []string{
	"redis-killed", "redis-full", "through-outage", "worker-stop",
	"redis-hanging", "renewed-lock", "bad-csv", "seed", "worker-checks", "enqueue", "rate-limit", "stop",
}

func found(change func(*results.Stage)) results.Results {
	stage := results.Stage{ID: "08", Name: "idempotent-apply", Dir: "work/08"}
	stocks := []string{"20/8/4", "20/8/4", "20/8/4", "32/13/8"}
	for _, scenario := range []string{matrix.BatchAB, matrix.LostResponse, matrix.DoubleWorker} {
		run := results.Run{Data: "teaching", Verdict: results.Holds}
		for i, stock := range stocks {
			run.Steps = append(run.Steps, results.Step{Name: fmt.Sprint(i), Stock: stock})
		}
		stage.Cells = append(stage.Cells, results.Cell{Scenario: scenario, Verdict: results.Holds, Runs: []results.Run{run}})
	}
	for _, name := range names {
		i := slices.IndexFunc(matrix.Promises, func(p matrix.Promise) bool { return p.Name == name })
		stage.Promises = append(stage.Promises, results.Promise{Name: name, Title: matrix.Promises[i].Title, Verdict: results.Holds})
	}
	change(&stage)
	return results.Results{Engine: results.Engine{Label: "Redis 8.4.0 in a container (redis:8.4)"}, Stages: []results.Stage{stage}}
}

func TestScreen(t *testing.T) {
	for name, r := range map[string]results.Results{
		"all-held": found(func(*results.Stage) {}),
		"broken": found(func(s *results.Stage) {
			s.Cells[0].Verdict = results.Broken
			run := &s.Cells[0].Runs[0]
			run.Verdict = results.Broken
			run.Steps[2].Stock = "32/13/8"
			run.Logs = []string{"server: one", "server: two", "worker: three", `worker: {"time":"2026-11-30T21:11:52.2Z","level":"INFO","event":"job_taken","jobId":"shipment-batch-a"}`, "worker: " + strings.Repeat("long ", 60)}
			run.Findings = []results.Finding{{
				Step: matrix.StepARemoved, About: "stock", Expected: "20/8/4, the shipment is in it once", Seen: "32/13/8, the shipment is in it twice",
				Rule: matrix.RepeatAddsNothing.Sentence, Lesson: matrix.RepeatAddsNothing.Lesson,
			}}
			for i := range 4 {
				s.Promises[i].Verdict = results.Broken
			}
		}),
		"earlier-promise": found(func(s *results.Stage) {
			s.Cells[0].Verdict = results.Broken
			for i := range 8 {
				s.Promises[i].Verdict = results.Broken
			}
		}),
		"does-not-build": found(func(s *results.Stage) {
			s.Fails = "the stage does not build"
			s.Failure = "# example.com/importer/work/08\n./apply.go:14:2: undefined: foo\nlua.go:3:12: pattern lua/*.lua: no matching files found\n" + strings.Repeat("./worker.go:9:1: too much\n", 9)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			Screen(&out, r, "work/08", func(_ results.Verdict, word string) string { return word })
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if lines := strings.Count(out.String(), "\n"); lines > 22 { // with the line that waits: a screen has 24
				t.Errorf("%d lines", lines)
			}
		})
	}
}

// Only who has finished a stage of his own is sent on.
func TestOnward(t *testing.T) {
	done := results.Status{Run: true}
	for want, stage := range map[string]results.Stage{
		" Compare: make diff-own-05. Go on: make start-06": {ID: "05", Dir: "work/05", Status: done},
		"": {ID: "05", Status: done},
	} {
		if got := onward(stage); got != want {
			t.Errorf("%+v: %q, want %q", stage, got, want)
		}
	}
	if got := onward(results.Stage{ID: "05", Dir: "work/05", Status: results.Status{Reason: "only a part of it was run"}}); got != "" {
		t.Errorf("after a part of a stage: %q", got)
	}
}
