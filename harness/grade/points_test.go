package grade

import (
	"strings"
	"testing"

	"example.com/importer/harness/results"
)

func TestDefaultTableCoversWhatIsDeclared(t *testing.T) {
	table := DefaultTable() // it panics if a row is missing or too many
	for check, stages := range declared() {
		for _, stage := range stages {
			if table.worth[check][stage] < 1 {
				t.Errorf("%s is worth nothing at stage %s", check, stage)
			}
		}
	}
	if len(table.Optional()) != 1 || table.Optional()[0] != "batch-conflict" {
		t.Errorf("not required are %v; the contract says batch-conflict alone", table.Optional())
	}
}

func TestBadTables(t *testing.T) {
	good := string(defaultPoints)
	change := func(from, to string) string {
		if !strings.Contains(good, from) {
			t.Fatalf("the table has no %q", from)
		}
		return strings.Replace(good, from, to, 1)
	}
	for name, c := range map[string]struct{ content, want string }{
		"empty":          {"", "line 1: the header must be check,required,05,06,07,08"},
		"other header":   {change("check,", "name,"), "line 1"},
		"unknown check":  {change("batch-ab,", "batch-ba,"), `line 2: there is no check "batch-ba"`},
		"twice":          {good + "batch-ab,yes,1,1,1,1\n", "batch-ab stands twice"},
		"missing":        {change("batch-ab,yes,10,10,10,10\n", ""), "no row for batch-ab"},
		"required":       {change("batch-ab,yes", "batch-ab,maybe"), `required is "maybe"; allowed are yes and no`},
		"negative":       {change("batch-ab,yes,10", "batch-ab,yes,-1"), `"-1" points for stage 05; allowed is a whole number from 0 to 1000`},
		"a missing one":  {change("batch-ab,yes,10", "batch-ab,yes,"), `"" points for stage 05`},
		"one too many":   {change("batch-conflict,no,,", "batch-conflict,no,5,"), "stage 05 has no check batch-conflict"},
		"a short row":    {change("batch-ab,yes,10,", "batch-ab,yes,"), "wrong number of fields"},
		"quotes not end": {change("batch-ab", `"batch-ab`), "points.csv"},
	} {
		if _, err := ParseTable("points.csv", []byte(c.content)); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "points.csv") {
			t.Errorf("%s: got %v, want points.csv and %q", name, err, c.want)
		}
	}
}

func TestPoints(t *testing.T) {
	table, err := ParseTable("mine.csv", defaultPoints)
	if err != nil {
		t.Fatal(err)
	}
	r := results.Results{Stages: []results.Stage{{ID: "07",
		Cells:    []results.Cell{{Scenario: "batch-ab", Verdict: results.Gap}, {Scenario: "lost-response", Verdict: results.Broken}},
		Promises: []results.Promise{{Name: "seed", Verdict: results.Holds}, {Name: "paths", Verdict: results.NotRun}},
	}}}
	table.Apply(&r)
	stage := r.Stages[0]
	if got, want := *stage.Points, (results.Points{Earned: 11, Of: 22}); got != want {
		t.Errorf("got %+v, want %+v: a known gap earns all, what is broken or was not run nothing", got, want)
	}
	if *stage.Promises[1].Points != (results.Points{Of: 1}) {
		t.Errorf("got %+v", stage.Promises[1].Points)
	}
}
