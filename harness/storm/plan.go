// Package storm lets many imports happen while faults fire at random, and looks whether
// each of them was added once when all is quiet. What fails is made small and kept, so
// that it can be run again.
package storm

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"example.com/importer/harness/faultmap"
)

// Format is the version of the JSON form of a plan.
const Format = "importer-storm/1"

// Plan is all that is random about a storm. It is made from a seed, and can be written
// down and run again.
type Plan struct {
	Format  string   `json:"format"`
	Stage   string   `json:"stage"`
	Seed    uint64   `json:"seed"` // that it was made from
	Workers int      `json:"workers"`
	Asks    []Ask    `json:"asks"`   // in this order
	Strikes []Strike `json:"faults"` // in no order
}

// Ask is one request for a batch.
type Ask struct {
	Batch string `json:"batch"`
	// Job is the id of a job that is stored past the HTTP route, as another producer would
	// that does not know of the first one; empty for a POST.
	Job string `json:"job,omitempty"`
}

// Strike is a fault at a command of a worker: the nth of those that it sends for a batch,
// over all workers and attempts.
type Strike struct {
	Batch string        `json:"batch"`
	Nth   int           `json:"nth"` // from 1
	Kind  faultmap.Kind `json:"kind"`
}

// String is the fault in words.
func (s Strike) String() string { return fmt.Sprintf("%s at command %d of %s", s.Kind, s.Nth, s.Batch) }

// Size says how large a storm is.
type Size struct {
	Batches, Workers, Faults int
	Commands                 int // that a worker sends for an undisturbed job
}

// The largest storm: what is larger belongs on a larger machine.
const (
	mostBatches = 2000
	mostWorkers = 16
)

// Check says what is wrong with a size, if anything is.
func (s Size) Check() error {
	for _, v := range []struct {
		name       string
		value, max int
	}{{"--batches", s.Batches, mostBatches}, {"--workers", s.Workers, mostWorkers}, {"--faults", s.Faults, s.Batches}} {
		if v.value < 1 || v.value > v.max {
			return fmt.Errorf("%s %d: allowed are 1 to %d", v.name, v.value, v.max)
		}
	}
	return nil
}

// NewPlan makes the plan of a seed. About a third of the batches are asked for again,
// early or late, by the same route or past it.
func NewPlan(stage string, seed uint64, size Size) Plan {
	random := rand.New(rand.NewPCG(seed, 0))
	p := Plan{Format: Format, Stage: stage, Seed: seed, Workers: size.Workers}
	for i := range size.Batches {
		batch := batchID(i)
		p.Asks = append(p.Asks, Ask{Batch: batch})
		for n := 1; random.IntN(3) == 0; n++ {
			again := Ask{Batch: batchID(random.IntN(i + 1))}
			if random.IntN(2) == 0 {
				again.Job = fmt.Sprintf("again-%d-%d", i+1, n)
			}
			p.Asks = append(p.Asks, again)
		}
	}
	// Two faults at one command cannot both fire, so each has a command of its own.
	commands := max(1, size.Commands)
	for _, place := range random.Perm(size.Batches * commands)[:min(size.Faults, size.Batches*commands)] {
		p.Strikes = append(p.Strikes, Strike{
			Batch: batchID(place / commands),
			Nth:   1 + place%commands,
			Kind:  faultmap.WorkerKinds[random.IntN(len(faultmap.WorkerKinds))],
		})
	}
	return p
}

// batchID is a name of which none begins like another one.
func batchID(i int) string { return fmt.Sprintf("storm-%04d", i+1) }

// Batches are the distinct batches, in the order in which they are first asked for.
func (p Plan) Batches() []string {
	var list []string
	for _, ask := range p.Asks {
		if !slices.Contains(list, ask.Batch) {
			list = append(list, ask.Batch)
		}
	}
	return list
}

// Write writes the plan as JSON.
func (p Plan) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(p)
}

// ReadPlan reads a plan that was written down.
func ReadPlan(r io.Reader) (Plan, error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	var p Plan
	if err := decoder.Decode(&p); err != nil {
		return p, fmt.Errorf("read the schedule: %w", err)
	}
	if p.Format != Format {
		return p, fmt.Errorf("format of the schedule is %q: allowed is %q", p.Format, Format)
	}
	if len(p.Asks) == 0 {
		return p, fmt.Errorf("asks of the schedule: at least one is wanted")
	}
	if p.Workers < 1 || p.Workers > mostWorkers {
		return p, fmt.Errorf("workers of the schedule is %d: allowed are 1 to %d", p.Workers, mostWorkers)
	}
	for _, s := range p.Strikes {
		if s.Nth < 1 || !slices.Contains(faultmap.WorkerKinds, s.Kind) || !slices.Contains(p.Batches(), s.Batch) {
			return p, fmt.Errorf("fault %q of the schedule: its batch must be asked for, its number 1 or more, its kind one of %v", s.String(), faultmap.WorkerKinds)
		}
	}
	return p, nil
}
