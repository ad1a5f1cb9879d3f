package storm_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/runner/patched"
	"example.com/importer/harness/storm"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

const workbook = "../.."

func options(t *testing.T, redis *engine.Engine, root string) storm.Options {
	t.Helper()
	stage, _ := matrix.FindStage("08")
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
	return storm.Options{Stage: stage, Config: world.Config{Engine: redis, Data: data, DataDir: dir, Stage: program}}
}

func planOf(t *testing.T, o storm.Options, seed uint64, size storm.Size) storm.Plan {
	t.Helper()
	var err error
	if size.Commands, err = storm.Commands(t.Context(), o); err != nil || size.Commands < 3 {
		t.Fatalf("%d commands, %v", size.Commands, err)
	}
	return storm.NewPlan("08", seed, size)
}

func TestTheReferenceWeathersIt(t *testing.T) {
	o := options(t, enginetest.Container(t), workbook)
	found, err := storm.Judge(t.Context(), o, planOf(t, o, 7, storm.Size{Batches: 60, Workers: 3, Faults: 30}))
	if err != nil {
		t.Fatal(err)
	}
	if found.Verdict != results.Holds || found.Fired < 25 || len(found.Kinds) < 5 {
		t.Errorf("%+v", found)
	}
}

// A wrong program does not weather it, and what fails can be made small and run again.
func TestAWrongProgramDoesNot(t *testing.T) {
	stage, _ := matrix.FindStage("08")
	root := patched.Workbook(t, workbook, stage, "../runner/testdata/wrong/mark-in-second-command.patch")
	o := options(t, enginetest.Miniredis(t), root)
	plan := planOf(t, o, 7, storm.Size{Batches: 20, Workers: 2, Faults: 20})
	found, err := storm.Judge(t.Context(), o, plan)
	if err != nil || found.Verdict != results.Broken || found.Findings[0].About != "stock" {
		t.Fatalf("%+v, %v", found, err)
	}
	small, err := storm.Shrink(t.Context(), plan, time.Minute, func(ctx context.Context, p storm.Plan) (bool, error) {
		again, err := storm.Judge(ctx, o, p)
		return len(again.Findings) > 0, err
	})
	if err != nil || len(small.Strikes) > 1 || len(small.Batches()) != 1 || len(small.Asks) > 2 {
		t.Errorf("made small: %+v, %v", small, err)
	}
	again, err := storm.Judge(t.Context(), o, small)
	if err != nil || again.Verdict != results.Broken || len(again.Story) == 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// Faults of which none comes prove nothing.
func TestNoFaultFired(t *testing.T) {
	o := options(t, enginetest.Miniredis(t), workbook)
	plan := planOf(t, o, 1, storm.Size{Batches: 2, Workers: 1, Faults: 1})
	plan.Strikes[0].Nth = 999
	found, err := storm.Judge(t.Context(), o, plan)
	if err != nil || found.Verdict != results.NotRun || found.Fired != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestPlan(t *testing.T) {
	size := storm.Size{Batches: 50, Workers: 3, Faults: 40, Commands: 3}
	plan := storm.NewPlan("08", 42, size)
	if diff := cmp.Diff(plan, storm.NewPlan("08", 42, size)); diff != "" {
		t.Errorf("one seed, two plans:\n%s", diff)
	}
	if cmp.Equal(plan, storm.NewPlan("08", 43, size)) {
		t.Error("two seeds, one plan")
	}
	if len(plan.Batches()) != 50 || len(plan.Strikes) != 40 || len(plan.Asks) <= 50 {
		t.Errorf("%d batches, %d faults, %d requests", len(plan.Batches()), len(plan.Strikes), len(plan.Asks))
	}
	places := map[string]bool{}
	for _, s := range plan.Strikes {
		places[s.Batch+" "+string(rune(s.Nth))] = true
	}
	if len(places) != 40 {
		t.Errorf("%d faults at %d commands", len(plan.Strikes), len(places))
	}
	var file bytes.Buffer
	if err := plan.Write(&file); err != nil {
		t.Fatal(err)
	}
	read, err := storm.ReadPlan(&file)
	if diff := cmp.Diff(plan, read); err != nil || diff != "" {
		t.Errorf("read again: %v\n%s", err, diff)
	}
}

func TestBadPlans(t *testing.T) {
	const asks = `"asks": [{"batch": "storm-0001"}]`
	for content, want := range map[string]string{
		`nothing`:                        "read the schedule",
		`{"format": "importer-storm/9"}`: `"importer-storm/9"`,
		`{"format": "importer-storm/1", "wings": 2}`:                                                                                `"wings"`,
		`{"format": "importer-storm/1", "workers": 1}`:                                                                              "at least one",
		`{"format": "importer-storm/1", "workers": 0, ` + asks + `}`:                                                                "workers of the schedule is 0",
		`{"format": "importer-storm/1", "workers": 1, ` + asks + `, "faults": [{"batch": "x"}]}`:                                    "its batch must be asked for",
		`{"format": "importer-storm/1", "workers": 1, ` + asks + `, "faults": [{"batch": "storm-0001", "nth": 1, "kind": "hail"}]}`: "hail at command 1 of storm-0001",
	} {
		if _, err := storm.ReadPlan(strings.NewReader(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", content, err, want)
		}
	}
	for _, size := range []storm.Size{{0, 1, 1, 0}, {1, 0, 1, 0}, {1, 17, 1, 0}, {1, 1, 2, 0}, {2001, 1, 1, 0}} {
		if size.Check() == nil {
			t.Errorf("%+v is allowed", size)
		}
	}
}

// What is left is the least that fails.
func TestShrink(t *testing.T) {
	plan := storm.NewPlan("08", 1, storm.Size{Batches: 40, Workers: 3, Faults: 30, Commands: 3})
	guilty := plan.Strikes[17]
	small, err := storm.Shrink(t.Context(), plan, time.Minute, func(_ context.Context, p storm.Plan) (bool, error) {
		for _, s := range p.Strikes {
			if s == guilty {
				return true, nil
			}
		}
		return false, nil
	})
	want := storm.Plan{Format: storm.Format, Stage: "08", Seed: 1, Workers: 3, Asks: []storm.Ask{{Batch: guilty.Batch}}, Strikes: []storm.Strike{guilty}}
	if len(small.Asks) == 1 {
		small.Asks[0].Job = "" // any of its requests will do
	}
	if diff := cmp.Diff(want, small); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
