package figures_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/bench/figures"
)

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values []float64
		q      float64
		want   float64
	}{
		{[]float64{7}, 0.5, 7},
		{[]float64{3, 1, 2}, 0.5, 2},
		{[]float64{4, 1, 3, 2}, 0.5, 2.5},
		{[]float64{0, 10, 20, 30, 40}, 0.95, 38},
		{[]float64{5, 1}, 1, 5},
	} {
		if got := figures.Quantile(c.values, c.q); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("quantile %v of %v is %v, want %v", c.q, c.values, got, c.want)
		}
	}
}

// round is one in which everything was 10, but for what is said.
func round(but map[string]float64) figures.Round {
	r := figures.Round{}
	for _, m := range figures.Declared {
		r[m.Name] = 10
	}
	r.Add(but)
	return r
}

// A ratio is taken within a round. Here the machine is a hundred times slower in the second
// one, and stage 08 is twice as fast as asynq in both; medians of medians would say else.
func TestRatiosAreTakenWithinARound(t *testing.T) {
	found, err := figures.Sum(figures.Results{}, []figures.Round{
		round(map[string]float64{"process/16/stage-08": 2000, "process/16/asynq": 1000}),
		round(map[string]float64{"process/16/stage-08": 20, "process/16/asynq": 10}),
		round(map[string]float64{"process/16/stage-08": 3000, "process/16/asynq": 1000}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found.Ratios {
		if r.Of == "process/16/stage-08" && r.To == "process/16/asynq" {
			if diff := cmp.Diff(figures.Spread{Median: 2, Min: 2, Max: 3}, r.Spread); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			return
		}
	}
	t.Error("stage 08 is not compared with asynq")
}

func TestTargets(t *testing.T) {
	fast := round(map[string]float64{"process/16/stage-08": 20, "latency/median/stage-08": 2, "apply/repeat": 3})
	found, err := figures.Sum(figures.Results{}, []figures.Round{fast})
	if err != nil {
		t.Fatal(err)
	}
	met := map[string]bool{}
	for _, target := range found.Targets {
		met[target.Of] = target.Met
	}
	want := map[string]bool{
		"process/16/stage-08 : process/16/asynq": true, // 2 is at least 2
		"process/16/stage-08 : process/16/limit": true,
		"process/64/stage-08 : process/64/asynq": false, // 1 is less than 2.5
		"process/64/stage-08 : process/64/limit": true,
		"enqueue/1/stage-08 : enqueue/1/asynq":   true,
		"latency/median/stage-08":                true,
		"stop/stage-08":                          true,
		"apply/100 : apply/1":                    true,
		"apply/repeat : apply/3":                 true,
	}
	if diff := cmp.Diff(want, met); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if missed := found.Missed(); len(missed) != 1 || missed[0].Bound != 2.5 {
		t.Errorf("missed are %+v", missed)
	}
}

// What was not measured is no figure, and neither is what cannot be one.
func TestSumRefuses(t *testing.T) {
	missing := round(nil)
	delete(missing, "apply/3")
	for name, rounds := range map[string][]figures.Round{
		"no round":  nil,
		"missing":   {round(nil), missing},
		"zero":      {round(map[string]float64{"apply/3": 0})},
		"infinite":  {round(map[string]float64{"apply/3": math.Inf(1)})},
		"no number": {round(map[string]float64{"apply/3": math.NaN()})},
	} {
		_, err := figures.Sum(figures.Results{}, rounds)
		if err == nil || (rounds != nil && !strings.Contains(err.Error(), "apply/3")) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
