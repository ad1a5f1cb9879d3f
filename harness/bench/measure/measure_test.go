package measure

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/importer/harness/bench/apply"
	"example.com/importer/harness/bench/figures"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/harness/world/program"
)

func bench(t *testing.T, redis *engine.Engine) Bench {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	b := Bench{Engine: redis, Data: dataset.Teaching(), DataDir: t.TempDir(), Plan: Tiny, Stages: map[string]Subject{}}
	if err := b.Data.Write(b.DataDir); err != nil {
		t.Fatal(err)
	}
	if b.Script, err = apply.Load(apply.Path(root)); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *Bench) build(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		declared, _ := matrix.FindStage(id)
		stage, _, err := runner.BuildStage(t.Context(), runner.Options{Root: "../../..", Progress: func(line string) { t.Log(line) }}, declared)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(stage.Path)
		if err != nil {
			t.Fatal(err)
		}
		stage.Path = path
		b.Stages[id] = Subject{Name: "stage-" + id, Stage: stage, Marks: id == "08"}
	}
}

func (b *Bench) buildPeer(t *testing.T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "peer")
	if err := program.Build(t.Context(), "../peer", path); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs(apply.Path("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	b.Peer = Subject{Name: "asynq", Stage: world.Stage{Path: path, Works: true}, Marks: true, Extra: []string{"PEER_APPLY_SCRIPT=" + script}}
}

// Everything that is declared can be measured, with results that are looked at.
func TestEverythingIsMeasured(t *testing.T) {
	b := bench(t, enginetest.Container(t))
	b.build(t, "06", "07", "08")
	b.buildPeer(t)
	rounds, err := b.Take(t.Context(), func(line string) { t.Log(line) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := figures.Sum(figures.Results{}, rounds); err != nil {
		t.Error(err)
	}
	for name := range rounds[0] {
		declared := false
		for _, m := range figures.Declared {
			declared = declared || m.Name == name
		}
		if !declared {
			t.Errorf("%s is measured and told nowhere", name)
		}
	}
}

// Two jobs at once lose additions in stage 06. It may be fast: it gets no figure.
func TestAWrongResultIsNoFigure(t *testing.T) {
	b := bench(t, enginetest.Container(t))
	b.build(t, "06")
	rate, err := b.process(t.Context(), b.Stages["06"], Tiny.Process, 16)
	if !errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), "stock is") {
		t.Errorf("the error is %v", err)
	}
	if rate != 0 {
		t.Errorf("there is a figure: %v", rate)
	}
}

// A stub that says of every job that it is done: believed if it did them, and not if one is
// missing.
func TestASkippedJobIsFoundOut(t *testing.T) {
	b := bench(t, enginetest.Miniredis(t))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	worker := func(kind string) Subject {
		return Subject{Name: kind, Stage: world.Stage{Path: self, Works: true}, Marks: true, Extra: []string{stubVariable + "=" + kind}}
	}
	if rate, err := b.process(t.Context(), worker("honest"), 300, 1); err != nil || rate <= 0 {
		t.Errorf("an honest one: %v jobs/s, error %v", rate, err)
	}
	rate, err := b.process(t.Context(), worker("skips"), 300, 1)
	if !errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), "after 300 arrivals stock is 3596/1498/1196, 3608/1503/1200 is expected") || rate != 0 {
		t.Errorf("one that skips a job: %v jobs/s, error %v", rate, err)
	}
}

// A run that is interrupted ends, and leaves no program behind (TestMain looks for what it
// leaves in this process).
func TestInterrupted(t *testing.T) {
	b := bench(t, enginetest.Miniredis(t))
	b.build(t, "08")
	ctx, cancel := context.WithCancel(t.Context())
	var worker *program.Process
	err := b.on(ctx, func(g *ground) (err error) {
		if worker, err = g.start(ctx, b.Stages["08"], "work", 1); err != nil {
			return err
		}
		cancel()
		_, err = g.steady(ctx, 1)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, over := worker.Exit(); !over {
		t.Error("the worker still runs")
	}
}

func TestCompare(t *testing.T) {
	data := dataset.Teaching()
	right := func() history.State {
		return history.State{Stock: data.After(2), Generation: 2, Marks: map[string]history.Mark{
			"a": {Imported: 3, BatchID: "a"}, "b": {Imported: 3, BatchID: "b"},
		}}
	}
	for name, c := range map[string]struct {
		change func(*history.State)
		wrong  string // empty: nothing
	}{
		"right":            {func(*history.State) {}, ""},
		"unreadable":       {func(s *history.State) { s.Unreadable = []string{"no hash"} }, "no hash"},
		"stock":            {func(s *history.State) { s.Stock = data.After(1) }, "stock is 20/8/4, 32/13/8 is expected"},
		"generation":       {func(s *history.State) { s.Generation = 3 }, "generation is 3, 2 is expected"},
		"no mark":          {func(s *history.State) { delete(s.Marks, "b") }, "there are 1 marks, 2 are expected"},
		"another mark":     {func(s *history.State) { s.Marks["c"] = s.Marks["b"]; delete(s.Marks, "b") }, "the mark of batch b"},
		"another's mark":   {func(s *history.State) { s.Marks["b"] = s.Marks["a"] }, "the mark of batch b"},
		"an empty mark":    {func(s *history.State) { s.Marks["b"] = history.Mark{} }, "the mark of batch b"},
		"a mark that dies": {func(s *history.State) { m := s.Marks["b"]; m.Lifetime = true; s.Marks["b"] = m }, "the mark of batch b"},
	} {
		state := right()
		c.change(&state)
		err := compare(data, state, []string{"a", "b"}, true)
		if (err == nil) != (c.wrong == "") || (err != nil && (!errors.Is(err, ErrWrong) || !strings.Contains(err.Error(), c.wrong))) {
			t.Errorf("%s: the error is %v, %q is expected", name, err, c.wrong)
		}
	}
	if err := compare(data, right(), []string{"a", "b"}, false); !errors.Is(err, ErrWrong) {
		t.Errorf("marks where there must be none: the error is %v", err)
	}
}

func TestEvalshaLine(t *testing.T) {
	info := "# Commandstats\r\ncmdstat_get:calls=9,usec=9,usec_per_call=1.00\r\ncmdstat_evalsha:calls=500,usec=21000,usec_per_call=42.00,rejected_calls=0,failed_calls=0\r\n"
	if calls, micros, err := evalsha(info); calls != 500 || micros != 21000 || err != nil {
		t.Errorf("%d calls, %d µs, error %v", calls, micros, err)
	}
	if _, _, err := evalsha("# Commandstats\r\n"); err == nil {
		t.Error("nothing was counted, and it is no error")
	}
}
