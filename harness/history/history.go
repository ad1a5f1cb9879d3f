// Package history is what happened in one run of a scenario, in order and as
// plain data: it can be written by hand in a test, kept in a file, and judged by
// a pure function that knows nothing of Redis or of processes.
package history

import (
	"encoding/json"

	"example.com/importer/harness/dataset"
)

// Story is one run of one scenario.
type Story struct {
	Scenario string       `json:"scenario"`
	Data     dataset.Data `json:"data"`
	Steps    []Step       `json:"steps"`
	Faults   []Fault      `json:"faults,omitempty"`
}

// Step is a point of the story at which everything was looked at.
type Step struct {
	Name    string         `json:"name"`
	State   State          `json:"state"`             // as Redis holds it
	Shop    *Catalogue     `json:"shop,omitempty"`    // as GET /api/products tells it
	Answers []Answer       `json:"answers,omitempty"` // what the client was told on the way to this step
	Job     *Job           `json:"job,omitempty"`     // the job the step is about; nil: its record is not there
	Counts  map[string]int `json:"counts,omitempty"`  // GET /api/imports
}

// State is what Redis holds under the names that all parties share.
type State struct {
	Stock      dataset.Stock   `json:"stock"`
	Titles     Titles          `json:"titles,omitempty"`
	Unreadable []string        `json:"unreadable,omitempty"` // what was not as agreed, in words
	Generation int             `json:"generation"`           // 0 if there is none
	Marks      map[string]Mark `json:"marks,omitempty"`      // by batch id
}

// Titles maps a sku to its title.
type Titles map[string]string

// Mark is the mark of one batch.
type Mark struct {
	Imported int    `json:"imported"`
	BatchID  string `json:"batchId"`
	Raw      string `json:"raw"`
	Lifetime bool   `json:"lifetime,omitempty"` // it would vanish by itself
}

// Catalogue is the answer of GET /api/products.
type Catalogue struct {
	Generation int           `json:"generation"`
	Stock      dataset.Stock `json:"stock"`
	Titles     Titles        `json:"titles,omitempty"`
}

// Answer is what the client got for one POST.
type Answer struct {
	Batch  string `json:"batch"`
	Status int    `json:"status"` // 0: no answer came, see Lost
	JobID  string `json:"jobId,omitempty"`
	Code   string `json:"code,omitempty"` // of a problem
	Lost   string `json:"lost,omitempty"` // how the answer was lost
	Millis int64  `json:"millis"`
}

// Job is the answer of GET /api/imports/{jobId}.
type Job struct {
	ID       string  `json:"jobId"`
	State    string  `json:"state"`
	Attempts int     `json:"attempts"`
	Result   *Result `json:"result,omitempty"`
	Raw      string  `json:"raw,omitempty"` // the result as it was told
	Error    string  `json:"error,omitempty"`
}

// Result is what an import returned.
type Result struct {
	Imported int    `json:"imported"`
	BatchID  string `json:"batchId"`
}

// Says is the result as it was told, if it tells more than a result may: a repeat is told
// what the first import was told, and not that it is a repeat. Empty if it does not.
func (j Job) Says() string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(j.Raw), &fields) != nil {
		return ""
	}
	delete(fields, "imported")
	delete(fields, "batchId")
	if len(fields) == 0 {
		return ""
	}
	return j.Raw
}

// Fault is a fault that a scenario set up. It counts only if it fired, and only
// with evidence that was read somewhere, not assumed.
type Fault struct {
	Name     string   `json:"name"`
	Fired    bool     `json:"fired"`
	Evidence []string `json:"evidence,omitempty"`
	Why      string   `json:"why,omitempty"` // why it did not fire
}

// Step returns the step of this name.
func (s Story) Step(name string) (Step, bool) {
	for _, step := range s.Steps {
		if step.Name == name {
			return step, true
		}
	}
	return Step{}, false
}
