package report_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

func TestTimings(t *testing.T) {
	var out strings.Builder
	report.Timings(&out, results.Results{
		Timings: results.Timings{Engine: 900, Builds: []results.Build{{Stage: "08", Millis: 1500}}, SideBySide: 4000, Alone: 250, Total: 5750},
		Stages: []results.Stage{{
			ID:       "08",
			Cells:    []results.Cell{{Scenario: "batch-ab", Runs: []results.Run{{Data: "teaching", Millis: 700, Waited: 650}}}},
			Promises: []results.Promise{{Name: "seed", Millis: 20}, {Name: "redis-killed", Millis: 3000, Waited: 1200}},
		}},
	})
	want := `
Where the time went

     Redis answers      0.90 s
     build of stage 08  1.50 s  beside the others and Redis
     side by side       4.00 s
     alone              0.25 s
     second looks       0.00 s
     all                5.75 s

The slowest of 3 scenarios and checks

     08 redis-killed         3.00 s  of it waiting 1.20 s
     08 batch-ab (teaching)  0.70 s  of it waiting 0.65 s
     08 seed                 0.02 s  of it waiting 0.00 s
`
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, strings.TrimRight(line, " \n"))
	}
	if diff := cmp.Diff(want, strings.Join(got, "\n")+"\n"); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
