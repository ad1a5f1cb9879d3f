package grade_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"

	"example.com/importer/harness/grade"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// graded grades a folder as a stage.
func graded(t *testing.T, redis *engine.Engine, id, dir string, only ...string) results.Stage {
	t.Helper()
	stage, ok := matrix.FindStage(id)
	if !ok {
		t.Fatalf("there is no stage %q", id)
	}
	submission, err := grade.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := submission.Close(); err != nil {
			t.Error(err)
		}
	}()
	found, err := runner.Run(t.Context(), runner.Options{
		Stages: []matrix.Stage{stage}, Only: only, Seed: 42, Build: submission.Build,
		Redis:    func(context.Context) (*engine.Engine, error) { return redis, nil },
		Progress: func(line string) { t.Log(line) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found.Stages[0]
}

// needPython skips a test where there is no Python, except in CI.
func needPython(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("HARNESS_REQUIRE_CONTAINER") == "1" {
			t.Fatal("python3 is not installed, and HARNESS_REQUIRE_CONTAINER=1 wants every test to run")
		}
		t.Skip("python3 is not installed")
	}
}

// The contract is all that counts: a stage 08 in another language, with another queue
// inside, holds everything.
func TestAnotherLanguageInAContainer(t *testing.T) {
	needPython(t)
	anotherLanguage(t, enginetest.Container(t), nil)
}

func TestAnotherLanguageRehearsed(t *testing.T) {
	needPython(t)
	anotherLanguage(t, enginetest.Miniredis(t), []string{"redis-killed", "redis-full", "retention"})
}

func anotherLanguage(t *testing.T, redis *engine.Engine, notRun []string) {
	stage := graded(t, redis, "08", "../testdata/python")
	if stage.Fails != "" {
		t.Fatalf("%s: %s", stage.Fails, stage.Failure)
	}
	for _, cell := range stage.Cells {
		for _, r := range cell.Runs {
			if r.Verdict != results.Holds {
				t.Errorf("%s (%s data): %s %s %+v\n%v", cell.Scenario, r.Data, r.Verdict, r.Reason, r.Findings, r.Logs)
			}
		}
	}
	if want := len(matrix.PromisesOf("08")); len(stage.Promises) != want {
		t.Errorf("%d promises, %d are declared", len(stage.Promises), want)
	}
	for _, p := range stage.Promises {
		want := results.Holds
		if slices.Contains(notRun, p.Name) {
			want = results.NotRun
		}
		if p.Verdict != want {
			t.Errorf("%s: %s %s %+v\n%v", p.Name, p.Verdict, p.Reason, p.Findings, p.Logs)
		}
	}
}
