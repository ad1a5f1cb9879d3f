package check_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/check"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// rightStory is what an idempotent importer shows for the cell: every wanted
// step, exactly as wanted, with its fault fired.
func rightStory(cell matrix.Cell) history.Story { return story(cell, cell.Right) }

// gapStory is what a stage shows that gets its known gaps wrong.
func gapStory(cell matrix.Cell) history.Story {
	wants := slices.Clone(cell.Right)
	for _, gap := range cell.Gap {
		wants[slices.IndexFunc(wants, func(w matrix.Want) bool { return w.Step == gap.Step })] = gap
	}
	return story(cell, wants)
}

func story(cell matrix.Cell, wants []matrix.Want) history.Story {
	data := dataset.Teaching()
	story := history.Story{Scenario: cell.Scenario, Data: data, Faults: []history.Fault{{Name: "a fault", Fired: true, Evidence: []string{"seen"}}}}
	for _, want := range wants {
		step := history.Step{Name: want.Step, State: history.State{
			Stock: data.After(len(want.Applied)), Generation: len(want.Applied), Marks: map[string]history.Mark{},
		}}
		for _, batch := range want.Marks() {
			step.State.Marks[batch] = history.Mark{Imported: 3, BatchID: batch, Raw: "{}"}
		}
		step.Shop = &history.Catalogue{Generation: step.State.Generation, Stock: maps.Clone(step.State.Stock)}
		if want.Job != nil && !want.Job.Gone {
			step.Job = &history.Job{ID: "shipment-" + want.Job.Batch, State: want.Job.State}
			if want.Job.Results {
				step.Job.Result = &history.Result{Imported: 3, BatchID: want.Job.Batch}
			}
		}
		if want.Records != nil && *want.Records > 0 {
			step.Counts = map[string]int{"completed": *want.Records}
		}
		for _, answer := range want.Answers {
			told := history.Answer{Batch: answer.Batch, Status: answer.Status}
			if answer.Status == 202 {
				told.JobID = "shipment-" + answer.Batch
			}
			step.Answers = append(step.Answers, told)
		}
		story.Steps = append(story.Steps, step)
	}
	return story
}

var stage08, _ = matrix.FindStage("08")

func cellOf(t *testing.T, stage, scenario string) matrix.Cell {
	t.Helper()
	s, ok := matrix.FindStage(stage)
	if !ok {
		t.Fatalf("stage %s is not declared", stage)
	}
	for _, cell := range s.Cells {
		if cell.Scenario == scenario {
			return cell
		}
	}
	t.Fatalf("stage %s has no cell %s", stage, scenario)
	return matrix.Cell{}
}

// The right story holds everywhere, also where a gap is known: doing better than
// one's stage is no fault.
func TestTheRightStoryHolds(t *testing.T) {
	for _, stage := range matrix.Stages {
		for _, cell := range stage.Cells {
			run := check.Cell(stage, cell, rightStory(cell))
			if run.Verdict != results.Holds || len(run.Findings) > 0 {
				t.Errorf("stage %s %s: %s %v", stage.ID, cell.Scenario, run.Verdict, run.Findings)
			}
			if len(run.Steps) != len(cell.Right) {
				t.Errorf("stage %s %s: %d steps reported, %d declared", stage.ID, cell.Scenario, len(run.Steps), len(cell.Right))
			}
		}
	}
}

func TestTheKnownGapIsAGapAndNothingElse(t *testing.T) {
	for _, stage := range matrix.Stages {
		for _, cell := range stage.Cells {
			want := results.Holds
			if len(cell.Gap) > 0 {
				want = results.Gap
			}
			run := check.Cell(stage, cell, gapStory(cell))
			if run.Verdict != want || len(run.Findings) > 0 || (want == results.Gap) != (len(run.Gaps) > 0) {
				t.Errorf("stage %s %s: %s %+v", stage.ID, cell.Scenario, run.Verdict, run.Findings)
			}
			if len(cell.Gap) == 0 {
				continue
			}
			// Wrong in another way than the known one is broken.
			other := gapStory(cell)
			last := &other.Steps[len(other.Steps)-1]
			last.State.Stock["lamp"]++
			last.Shop.Stock["lamp"]++
			if run := check.Cell(stage, cell, other); run.Verdict != results.Broken {
				t.Errorf("stage %s %s, one lamp too many: %s", stage.ID, cell.Scenario, run.Verdict)
			}
			// The stage that closes the gap for its learners must not have it.
			if run := check.Cell(stage08, cellOf(t, "08", cell.Scenario), gapStory(cell)); run.Verdict != results.Broken {
				t.Errorf("stage 08 %s with the gap of %s: %s", cell.Scenario, stage.ID, run.Verdict)
			}
		}
	}
}

// Everything that can be wrong at a step is spoiled once; the finding must be
// about that and name its rule.
func TestEverySpoiledThingIsFound(t *testing.T) {
	cell := cellOf(t, "08", matrix.BatchAB)
	for name, c := range map[string]struct {
		spoil func(*history.Step)
		about string
		rule  matrix.Rule
		seen  string
	}{
		"added again":      {func(s *history.Step) { s.State.Stock = dataset.Teaching().After(2) }, "stock", matrix.RepeatAddsNothing, "32/13/8, the shipment is in it twice"},
		"half a shipment":  {func(s *history.Step) { s.State.Stock = dataset.Stock{"lamp": 20, "notebook": 3} }, "stock", matrix.RepeatAddsNothing, "20/3/-, which no whole number of arrivals gives"},
		"foreign product":  {func(s *history.Step) { s.State.Stock["chair"] = 1 }, "stock", matrix.RepeatAddsNothing, "20/8/4 chair=1, which no whole number of arrivals gives"},
		"unreadable":       {func(s *history.Step) { s.State.Unreadable = []string{"lamp holds x"} }, "stock", matrix.OneResult, "[lamp holds x]"},
		"generation twice": {func(s *history.Step) { s.State.Generation = 2; s.Shop.Generation = 2 }, "generation", matrix.OneResult, "2"},
		"no mark":          {func(s *history.Step) { s.State.Marks = nil }, "mark", matrix.OneResult, "no such key"},
		"mark true":        {func(s *history.Step) { s.State.Marks["batch-a"] = history.Mark{Raw: "true"} }, "mark", matrix.MarkHoldsResult, "true"},
		"mark that ends": {func(s *history.Step) {
			s.State.Marks["batch-a"] = history.Mark{Imported: 3, BatchID: "batch-a", Lifetime: true}
		}, "mark", matrix.MarkForEver, "importer:done:batch-a has a lifetime"},
		"mark too many":  {func(s *history.Step) { s.State.Marks["shipment-a"] = history.Mark{} }, "mark", matrix.OneResult, "importer:done:shipment-a"},
		"stale shop":     {func(s *history.Step) { s.Shop.Stock = dataset.Teaching().After(0) }, "GET /api/products", matrix.FreshCatalogue, "8/3/- of generation 1"},
		"other job id":   {func(s *history.Step) { s.Answers[0].JobID = "shipment-7f3a" }, "answer", matrix.JobKnown, "202 shipment-7f3a for batch-a"},
		"refused repeat": {func(s *history.Step) { s.Answers[0] = history.Answer{Batch: "batch-a", Status: 409, Code: "x"} }, "answer", matrix.JobKnown, "409 x for batch-a"},
		"answer missing": {func(s *history.Step) { s.Answers = nil }, "answer", matrix.JobKnown, "0"},
		"job failed":     {func(s *history.Step) { s.Job.State, s.Job.Error = "failed", "why" }, "job", matrix.RetryEnds, "state failed (why)"},
		"no record":      {func(s *history.Step) { s.Job = nil }, "job", matrix.StoredForLater, "no record"},
		"other result":   {func(s *history.Step) { s.Job.Result.Imported = 0 }, "result", matrix.SameAnswer, "imported 0, batchId batch-a"},
		"no result":      {func(s *history.Step) { s.Job.Result = nil }, "result", matrix.SameAnswer, "no result"},
		"second job":     {func(s *history.Step) { s.Counts = map[string]int{"completed": 1, "waiting": 1} }, "GET /api/imports", matrix.JobKnown, "2 records (1 completed, 1 waiting)"},
	} {
		t.Run(name, func(t *testing.T) {
			story := rightStory(cell)
			c.spoil(&story.Steps[1])
			run := check.Cell(stage08, cell, story)
			if run.Verdict != results.Broken {
				t.Fatalf("verdict %s, want broken", run.Verdict)
			}
			var first results.Finding
			for _, f := range run.Findings {
				if f.About == c.about && f.Rule == c.rule.Sentence {
					first = f
				}
			}
			if first.Seen != c.seen || first.Step != matrix.StepAKept || first.Lesson == "" {
				t.Errorf("want %q about %s under %q; got %+v", c.seen, c.about, c.rule.Sentence, run.Findings)
			}
		})
	}
}

// A 202 although the reply of Redis was lost is not told as a second job: there is one.
func TestAHiddenRepeatHasItsOwnRule(t *testing.T) {
	cell := cellOf(t, "08", matrix.LostResponse)
	story := rightStory(cell)
	for i, step := range story.Steps {
		if step.Name == matrix.StepEnqueueLost {
			story.Steps[i].Answers[0] = step.Answers[1]
		}
	}
	run := check.Cell(stage08, cell, story)
	if len(run.Findings) != 1 || run.Findings[0].Rule != matrix.UnknownIsSaid.Sentence || run.Findings[0].Seen != "202 shipment-batch-a for batch-a" {
		t.Errorf("got %+v", run.Findings)
	}
}

// A fault that did not fire proves nothing, also when the stock is right.
func TestAFaultThatDidNotFireIsNoPass(t *testing.T) {
	cell := cellOf(t, "08", matrix.DoubleWorker)
	story := rightStory(cell)
	story.Faults[0] = history.Fault{Name: "worker 1 is frozen", Why: "it sent no stock command"}
	run := check.Cell(stage08, cell, story)
	if run.Verdict != results.NotRun || !strings.HasPrefix(run.Reason, "fault did not fire: worker 1 is frozen") {
		t.Errorf("got %s (%s)", run.Verdict, run.Reason)
	}
}

func TestAStepThatWasNotReachedIsNoPass(t *testing.T) {
	cell := cellOf(t, "08", matrix.BatchAB)
	story := rightStory(cell)
	story.Steps = story.Steps[:3]
	run := check.Cell(stage08, cell, story)
	if run.Verdict != results.NotRun || !strings.Contains(run.Reason, matrix.StepB) {
		t.Errorf("got %s (%s)", run.Verdict, run.Reason)
	}
	if run := check.Cell(stage08, matrix.Cell{}, rightStory(cell)); run.Verdict != results.NotRun {
		t.Errorf("a cell that declares nothing: got %s", run.Verdict)
	}
}

func TestStatus(t *testing.T) {
	container := results.Engine{Kind: "container"}
	held := results.Stage{Cells: []results.Cell{{Scenario: "batch-ab", Verdict: results.Holds}}}
	with := func(change func(*results.Stage)) results.Stage {
		s := results.Stage{Cells: []results.Cell{held.Cells[0]}}
		change(&s)
		return s
	}
	for name, c := range map[string]struct {
		stage  results.Stage
		engine results.Engine
		want   string
	}{
		"all held":     {held, container, "run"},
		"a gap is run": {with(func(s *results.Stage) { s.Cells[0].Verdict = results.Gap }), container, "run"},
		"rehearsed":    {held, results.Engine{Kind: "miniredis"}, "not_run (rehearsed on miniredis only)"},
		"rehearsed in part": {with(func(s *results.Stage) {
			s.Promises = []results.Promise{{Name: "redis-killed", Verdict: results.NotRun}}
		}), results.Engine{Kind: "miniredis"}, "not_run (rehearsed on miniredis only)"},
		"foreign server": {held, results.Engine{Kind: "url"}, "not_run (ran on a server that is not the harness's own container)"},
		"broken":         {with(func(s *results.Stage) { s.Cells[0].Verdict = results.Broken }), container, "not_run (broken: batch-ab)"},
		"no proof":       {with(func(s *results.Stage) { s.Cells[0].Verdict = results.NotRun }), container, "not_run (without proof: batch-ab)"},
		"broken promise": {with(func(s *results.Stage) {
			s.Promises = []results.Promise{{Name: "bad-csv", Verdict: results.Broken}}
		}), container, "not_run (broken: bad-csv)"},
		"nothing":   {results.Stage{}, container, "not_run (nothing was run)"},
		"no build":  {with(func(s *results.Stage) { s.Fails = "the stage does not build" }), container, "not_run (the stage does not build)"},
		"no engine": {held, results.Engine{}, "not_run (ran on a server that is not the harness's own container)"},
	} {
		if diff := cmp.Diff(c.want, check.Status(c.stage, c.engine).String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
