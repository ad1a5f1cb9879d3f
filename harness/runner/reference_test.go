package runner_test

import (
	"context"
	"slices"
	"testing"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

const workbook = "../.."

// run runs stages on an engine that the test owns.
func run(t *testing.T, redis *engine.Engine, root string, stages []matrix.Stage, only ...string) results.Results {
	t.Helper()
	found, err := runner.Run(t.Context(), runner.Options{
		Root: root, Stages: stages, Only: only, Seed: 42,
		Redis:    func(context.Context) (*engine.Engine, error) { return redis, nil },
		Progress: func(line string) { t.Log(line) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// built are the stages that this workbook has.
func built() []matrix.Stage {
	var stages []matrix.Stage
	for _, s := range matrix.Stages {
		if len(s.Cells) > 0 {
			stages = append(stages, s)
		}
	}
	return stages
}

// The reference stages come out exactly as the matrix says: on a real Redis with
// the status run, and on the imitation without it.
func TestReferenceInAContainer(t *testing.T) {
	reference(t, enginetest.Container(t), "run")
}

func TestReferenceRehearsed(t *testing.T) {
	reference(t, enginetest.Miniredis(t), "not_run (rehearsed on miniredis only)")
}

func reference(t *testing.T, redis *engine.Engine, status string) {
	found := run(t, redis, workbook, built())
	for _, stage := range found.Stages {
		if got := stage.Status.String(); got != status {
			t.Errorf("stage %s: %s, want %s", stage.ID, got, status)
		}
		for i, cell := range stage.Cells {
			want := results.Holds
			if declared, _ := matrix.FindStage(stage.ID); len(declared.Cells[i].Gap) > 0 {
				want = results.Gap
			}
			for _, r := range cell.Runs {
				if r.Verdict != want {
					t.Errorf("stage %s %s (%s data): %s %s %+v\n%v", stage.ID, cell.Scenario, r.Data, r.Verdict, r.Reason, r.Findings, r.Logs)
				}
			}
		}
		if want := len(matrix.PromisesOf(stage.ID)); len(stage.Promises) != want {
			t.Errorf("stage %s: %d promises, %d are declared", stage.ID, len(stage.Promises), want)
		}
		for _, p := range stage.Promises {
			want := results.Holds
			if redis.Kind() == engine.Miniredis && slices.Contains(needServer, p.Name) {
				want = results.NotRun
			}
			if p.Verdict != want {
				t.Errorf("stage %s %s: %s %s %+v\n%v", stage.ID, p.Name, p.Verdict, p.Reason, p.Findings, p.Logs)
			}
		}
	}
}
