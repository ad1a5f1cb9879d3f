package failure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/learn/failure"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

func stage() results.Stage {
	return results.Stage{ID: "08",
		Cells: []results.Cell{
			{Scenario: matrix.BatchAB, Verdict: results.Holds},
			{Scenario: matrix.LostResponse, Verdict: results.Broken, Runs: []results.Run{
				{Data: "teaching", Verdict: results.Holds},
				{Data: "seeded", Verdict: results.Broken, Findings: []results.Finding{{Seen: "a lifetime", Rule: matrix.MarkForEver.Sentence}}},
			}},
			{Scenario: matrix.DoubleWorker, Verdict: results.Error, Runs: []results.Run{{Data: "teaching", Verdict: results.Error, Reason: "no disk"}}},
		},
		Promises: []results.Promise{
			{Name: "redis-killed", Verdict: results.NotRun, Reason: "it cannot be killed"},
			{Name: "quantity-limit", Verdict: results.Broken},
			{Name: "seed", Verdict: results.Holds},
			{Name: "good-csv", Verdict: results.Broken},
			{Name: "enqueue", Verdict: results.Error},
		},
	}
}

// What others rest on comes first: promises of earlier stages, scenarios, promises of
// this one; and what is broken before what could not be run.
func TestOrder(t *testing.T) {
	names := func(e results.Engine) []string {
		var got []string
		for _, f := range failure.Of(stage(), e) {
			got = append(got, f.Name)
		}
		return got
	}
	want := []string{"good-csv", matrix.LostResponse, "quantity-limit", "enqueue", matrix.DoubleWorker, "redis-killed"}
	if diff := cmp.Diff(want, names(results.Engine{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:5], names(results.Engine{Rehearsal: "rehearsed"})); diff != "" {
		t.Errorf("what an imitation cannot do (-want +got):\n%s", diff)
	}
}

func TestRule(t *testing.T) {
	for name, want := range map[string]matrix.Rule{
		matrix.LostResponse: matrix.MarkForEver,       // the finding's
		matrix.DoubleWorker: matrix.RepeatAddsNothing, // without a finding, the scenario's
		"good-csv":          matrix.NewBatchAdds,
	} {
		f, ok := failure.ByName(stage(), results.Engine{}, name)
		if !ok || f.Rule != want {
			t.Errorf("%s: rule %s, want %s", name, f.Rule.ID, want.ID)
		}
	}
	if f, ok := failure.ByName(stage(), results.Engine{}, "seed"); ok {
		t.Errorf("seed holds, and is a failure: %+v", f)
	}
	if f, _ := failure.ByName(stage(), results.Engine{}, matrix.DoubleWorker); f.Reason != "no disk (teaching data)" {
		t.Errorf("reason %q", f.Reason)
	}
}

func TestEveryCheckOfAStageHasARule(t *testing.T) {
	for _, s := range matrix.Stages {
		for _, cell := range s.Cells {
			if rule, ok := failure.RuleOf(s, cell.Scenario); !ok || rule.ID == "" {
				t.Errorf("stage %s: %s has no rule", s.ID, cell.Scenario)
			}
		}
		if _, ok := failure.RuleOf(s, "no-such-thing"); ok {
			t.Errorf("stage %s: something that is not there has a rule", s.ID)
		}
	}
}
