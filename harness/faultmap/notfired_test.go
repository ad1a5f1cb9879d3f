package faultmap

import (
	"path/filepath"
	"testing"
	"time"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine/enginetest"
)

// A fault whose command does not come has proven nothing, whatever the stock is.
func TestAFaultThatDoesNotFire(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	stage, _ := matrix.FindStage("08")
	program, _, err := runner.BuildStage(t.Context(), runner.Options{Root: root, Progress: func(string) {}}, stage)
	if err != nil {
		t.Fatal(err)
	}
	data, dir := dataset.Teaching(), t.TempDir()
	if err := data.Write(dir); err != nil {
		t.Fatal(err)
	}
	config := world.Config{Engine: enginetest.Miniredis(t), Data: data, DataDir: dir, Stage: program}
	a := &atlas{Options: Options{Stage: stage, Config: config, Patience: 15 * time.Second}, recovery: map[string][]Step{}}
	f := Fault{Worker, 9, CutAfter}
	c, err := a.cell(t.Context(), task{Schedule{f}, []point{{f, Step{Label: "LPUSH nowhere", sig: "LPUSH nowhere", nth: 1}}}})
	if err != nil || c.Verdict != results.NotRun || c.Why != "fault did not fire: no command k9/cut-after (LPUSH nowhere) came" || c.Outcome != "" {
		t.Errorf("%+v, %v", c, err)
	}
}
