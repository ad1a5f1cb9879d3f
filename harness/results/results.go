// Package results is the one structure that every report is made from, so that
// no two reports can disagree. It is pure data.
package results

// Format is the version of the JSON form. It rises when a field changes its
// meaning or goes; a new field does not raise it.
const Format = "importer-results/1"

// Verdict is what was found in a cell or a check.
type Verdict string

// The verdicts.
const (
	Holds  Verdict = "holds"   // the outcome is the right one
	Gap    Verdict = "gap"     // the wrong outcome that this stage is known to have
	Broken Verdict = "broken"  // a promise of this stage failed
	NotRun Verdict = "not_run" // nothing was proven; Reason says why
	Error  Verdict = "error"   // the harness's or the machine's own trouble
)

// Kind is which sort of failure it was.
type Kind string

// The kinds. Error as a verdict is the last one there is: trouble of the harness or
// of its machine, and never the program's fault.
const (
	BuildFailure  Kind = "build_failure"  // there is no program to run
	NeverListened Kind = "never_listened" // the server ran and did not say where it listens
	Crash         Kind = "crash"          // a program ended while something was awaited of it
	Timeout       Kind = "timeout"        // something came too late or not at all
	WrongAnswer   Kind = "wrong_answer"   // something is not as it must be
)

// Results is everything one call of the harness found out.
type Results struct {
	Format string  `json:"format"`
	Engine Engine  `json:"engine"`
	Seed   uint64  `json:"seed"`             // of the seeded data set
	Hidden bool    `json:"hidden,omitempty"` // data, evidence and seed are left out
	Stages []Stage `json:"stages"`

	// Isolation says how the programs were kept from the machine; nil if they were not.
	Isolation *Isolation `json:"isolation,omitempty"`

	Timings Timings `json:"timings"`
}

// Engine says which Redis it was.
type Engine struct {
	Kind      string `json:"kind"`                // container, miniredis or url
	Label     string `json:"label"`               // for people
	Server    string `json:"server"`              // such as "Redis 7.0.15"
	Rehearsal string `json:"rehearsal,omitempty"` // why a run on it proves nothing; empty if it does
}

// Isolation is the container that each program had to itself.
type Isolation struct {
	Image     string `json:"image"`
	Memory    int64  `json:"memory"`    // bytes that all processes of a program may use together
	Processes int64  `json:"processes"` // how many there may be, threads counted
}

// Stage is what was found about one stage.
type Stage struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Dir    string `json:"dir,omitempty"` // that was run, if it is not the reference's
	Digest string `json:"digest"`        // of the sources that were built
	Status Status `json:"status"`
	// Fails is what the stage fails at before anything can be looked at, building or
	// starting, and Failure is what was said then; empty if it does not.
	Fails    string    `json:"fails,omitempty"`
	Kind     Kind      `json:"kind,omitempty"`
	Failure  string    `json:"failure,omitempty" clean:"lines"`
	Points   *Points   `json:"points,omitempty"` // of a grade: all cells and promises together
	Replay   string    `json:"replay,omitempty"` // the command that runs it again, before --only and --seed
	Cells    []Cell    `json:"cells"`
	Promises []Promise `json:"promises"`
}

// Status is run, or not_run with the reason.
type Status struct {
	Run    bool   `json:"run"`
	Reason string `json:"reason,omitempty"`
}

// String is the status as CHECKLIST.md writes it.
func (s Status) String() string {
	if s.Run {
		return "run"
	}
	return "not_run (" + s.Reason + ")"
}

// Cell is one scenario at one stage, over all data sets.
type Cell struct {
	Scenario string  `json:"scenario"`
	Verdict  Verdict `json:"verdict"`       // the worst of its runs
	Why      string  `json:"why,omitempty"` // the gap that the stage is known for, in a sentence
	See      string  `json:"see,omitempty"` // the lesson that explains it
	Runs     []Run   `json:"runs"`
	Points   *Points `json:"points,omitempty"`   // of a grade
	Optional bool    `json:"optional,omitempty"` // the stage does not need it
}

// Points are what a grade gives: so many of so many.
type Points struct {
	Earned int `json:"earned"`
	Of     int `json:"of"`
}

// Run is a scenario with one data set.
type Run struct {
	Data     string    `json:"data"` // teaching or seeded
	Verdict  Verdict   `json:"verdict"`
	Reason   string    `json:"reason,omitempty"` // of not_run and error
	Steps    []Step    `json:"steps,omitempty"`
	Faults   []Fault   `json:"faults,omitempty"`
	Gaps     []Finding `json:"gaps,omitempty"` // what is wrong in the way that the stage is known for
	Findings []Finding `json:"findings,omitempty"`
	Logs     []string  `json:"logs,omitempty"`  // the programs' last lines, when something went wrong
	Again    string    `json:"again,omitempty"` // what a first look found that had too little time; this is the second, alone
	Millis   int64     `json:"millis"`
	Waited   int64     `json:"waitedMillis"` // of them, in which a state or a server of its own was waited for; waits side by side count each
}

// Fault is a fault that fired, with what proves it.
type Fault struct {
	Name     string   `json:"name"`
	Evidence []string `json:"evidence"`
}

// Step is a step of a run as it was seen.
type Step struct {
	Name  string `json:"name"`
	Stock string `json:"stock"` // such as 20/8/4
}

// Finding is one thing that was not as it must be.
type Finding struct {
	Step     string `json:"step,omitempty"`
	About    string `json:"about,omitempty"` // stock, mark, job, ...
	Expected string `json:"expected,omitempty"`
	Seen     string `json:"seen,omitempty"`
	Rule     string `json:"rule"`   // in one sentence
	Lesson   string `json:"lesson"` // file and anchor below lessons/

	// Timing: something took too long. It may be the machine's fault, and counts when it is seen
	// again with nothing else at work.
	Timing bool `json:"timing,omitempty"`
	Kind   Kind `json:"kind,omitempty"`
}

// Promise is one contract check at one stage.
type Promise struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Verdict  Verdict   `json:"verdict"`
	Reason   string    `json:"reason,omitempty"`
	Evidence []string  `json:"evidence,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	Logs     []string  `json:"logs,omitempty"`
	Again    string    `json:"again,omitempty"` // what a first look found that had too little time; this is the second, alone
	Millis   int64     `json:"millis"`
	Points   *Points   `json:"points,omitempty"`   // of a grade
	Optional bool      `json:"optional,omitempty"` // the stage does not need it
	Waited   int64     `json:"waitedMillis"`       // of them, in which a state or a server of its own was waited for; waits side by side count each
}

// Worst is the verdict that stands for all of them; NotRun if there is none,
// because a cell that executed nothing proves nothing.
func Worst(verdicts ...Verdict) Verdict {
	order := []Verdict{Holds, Gap, NotRun, Error, Broken}
	worst := -1
	for _, v := range verdicts {
		for rank, known := range order {
			if v == known && rank > worst {
				worst = rank
			}
		}
	}
	if worst < 0 {
		return NotRun
	}
	return order[worst]
}
