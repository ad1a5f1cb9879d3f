// Package figures holds what a benchmark measured. It is pure data, with the sums that
// belong to it: medians, and ratios that are taken within a round only.
package figures

import (
	"fmt"
	"math"
	"slices"
)

// Format is the version of the JSON form. It rises when a field changes its meaning or
// goes; a new field does not raise it.
const Format = "importer-bench/1"

// Results is everything one benchmark found out.
type Results struct {
	Format   string    `json:"format"`
	Redis    string    `json:"redis"`  // such as "Redis 8.4.0 in a container (redis:8.4)"
	Go       string    `json:"go"`     // such as go1.26.0
	CPUs     int       `json:"cpus"`   // that the benchmark and Redis share
	Quick    bool      `json:"quick"`  // few and short rounds: a look, and no proof
	Rounds   int       `json:"rounds"` // in each of them everything is measured once
	Measures []Measure `json:"measures"`
	Ratios   []Ratio   `json:"ratios"`
	Targets  []Target  `json:"targets"`
}

// Measure is one thing that was measured, once in each round.
type Measure struct {
	Name   string    `json:"name"`  // such as process/16/stage-08
	Title  string    `json:"title"` // for people
	Unit   string    `json:"unit"`  // jobs/s, ms or µs
	Values []float64 `json:"values"`
	Spread
}

// Ratio compares two measures of the same round, so that a machine that was slow for a
// while was slow for both.
type Ratio struct {
	Name   string    `json:"name"`
	Title  string    `json:"title"`
	Of     string    `json:"of"` // name of the measure above the line
	To     string    `json:"to"` // and of the one below it
	Values []float64 `json:"values"`
	Spread
}

// Target is what a figure must be.
type Target struct {
	Title string  `json:"title"`
	Of    string  `json:"of"`   // name of a ratio or a measure; its median counts
	Rule  string  `json:"rule"` // "at least" or "at most"
	Bound float64 `json:"bound"`
	Unit  string  `json:"unit,omitempty"` // empty for a ratio
	Seen  float64 `json:"seen"`
	Met   bool    `json:"met"`
}

// Spread sums up the values of all rounds.
type Spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// SpreadOf sums up at least one value.
func SpreadOf(values []float64) Spread {
	return Spread{Median: Quantile(values, 0.5), Min: slices.Min(values), Max: slices.Max(values)}
}

// Quantile is the value that the share q (0 to 1) of the values does not exceed, between
// two of them in proportion.
func Quantile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	low, high := int(math.Floor(at)), int(math.Ceil(at))
	return sorted[low] + (sorted[high]-sorted[low])*(at-float64(low))
}

// Round is what one round measured, by the name of the measure.
type Round map[string]float64

// Add joins what another part of the same round measured.
func (r Round) Add(more Round) {
	for name, value := range more {
		r[name] = value
	}
}

// Sum turns rounds into results: measures, then ratios and targets as declared. A measure
// that a round is without, and a value that is no positive number, are errors: a figure
// stands for all rounds or is not shown.
func Sum(head Results, rounds []Round) (Results, error) {
	if len(rounds) == 0 {
		return Results{}, fmt.Errorf("no round was measured")
	}
	head.Format, head.Rounds = Format, len(rounds)
	for _, m := range Declared {
		for i, round := range rounds {
			value, ok := round[m.Name]
			if !ok || !(value > 0) || math.IsInf(value, 0) {
				return Results{}, fmt.Errorf("round %d: %s is %v, a positive number is expected", i+1, m.Name, value)
			}
			m.Values = append(m.Values, value)
		}
		m.Spread = SpreadOf(m.Values)
		head.Measures = append(head.Measures, m)
	}
	for _, r := range declaredRatios {
		for _, round := range rounds {
			r.Values = append(r.Values, round[r.Of]/round[r.To])
		}
		r.Spread = SpreadOf(r.Values)
		head.Ratios = append(head.Ratios, r)
	}
	for _, t := range declaredTargets {
		spread, ok := head.find(t.Of)
		if !ok {
			return Results{}, fmt.Errorf("target %q is about %s, which is not measured", t.Title, t.Of)
		}
		t.Seen = spread.Median
		t.Met = (t.Rule == AtLeast && t.Seen >= t.Bound) || (t.Rule == AtMost && t.Seen <= t.Bound)
		head.Targets = append(head.Targets, t)
	}
	return head, nil
}

func (r Results) find(name string) (Spread, bool) {
	for _, m := range r.Measures {
		if m.Name == name {
			return m.Spread, true
		}
	}
	for _, ratio := range r.Ratios {
		if ratio.Name == name {
			return ratio.Spread, true
		}
	}
	return Spread{}, false
}

// Missed are the targets that were not met.
func (r Results) Missed() []Target {
	return slices.DeleteFunc(slices.Clone(r.Targets), func(t Target) bool { return t.Met })
}
