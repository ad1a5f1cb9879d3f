package results_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/results"
)

func TestWorst(t *testing.T) {
	for _, c := range []struct {
		in   []results.Verdict
		want results.Verdict
	}{
		{nil, results.NotRun}, // a cell that executed nothing is no pass
		{[]results.Verdict{results.Holds}, results.Holds},
		{[]results.Verdict{results.Holds, results.Gap}, results.Gap},
		{[]results.Verdict{results.NotRun, results.Gap, results.Holds}, results.NotRun},
		{[]results.Verdict{results.Error, results.NotRun}, results.Error},
		{[]results.Verdict{results.Broken, results.Error, results.Holds}, results.Broken},
		{[]results.Verdict{""}, results.NotRun},
	} {
		if got := results.Worst(c.in...); got != c.want {
			t.Errorf("%v: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestCleanReachesEveryString(t *testing.T) {
	dirty := func(s string) results.Results {
		return results.Results{Stages: []results.Stage{{
			Fails: s, Failure: s,
			Cells:    []results.Cell{{Runs: []results.Run{{Reason: s, Steps: []results.Step{{Stock: s}}, Faults: []results.Fault{{Evidence: []string{s}}}, Findings: []results.Finding{{Seen: s}}, Gaps: []results.Finding{{About: s}}, Logs: []string{s}}}}},
			Promises: []results.Promise{{Evidence: []string{s}, Findings: []results.Finding{{Expected: s}}, Logs: []string{s}}},
		}}}
	}
	got := dirty("a\nb")
	results.Clean(&got, func(s string) string { return strings.ReplaceAll(s, "\n", " ") })
	want := dirty("a b")
	want.Stages[0].Failure = "a\nb" // a compiler's words keep their lines
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
