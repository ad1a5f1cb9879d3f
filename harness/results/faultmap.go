package results

// Outcome is what became of one job with faults.
type Outcome string

// The outcomes. Once is right; Failed is honest, since nothing was done and nothing else
// is said; all others are wrong.
const (
	Once    Outcome = "once"    // added once, and all that is kept agrees
	Failed  Outcome = "failed"  // not added, and the job says failed
	Unknown Outcome = "unknown" // added once, and the job says failed or has another result
	Partly  Outcome = "partly"  // stock, generation and mark do not agree
	Twice   Outcome = "twice"   // added more than once
	Lost    Outcome = "lost"    // not added, and nothing says so
	Stuck   Outcome = "stuck"   // the job has not ended
)

// Outcomes lists them, from right to wrong.
var Outcomes = []Outcome{Once, Failed, Unknown, Partly, Twice, Lost, Stuck}

// Map is the fault map of one stage: every fault at every command of one job.
type Map struct {
	Format   string    `json:"format"`
	Engine   Engine    `json:"engine"`
	Stage    string    `json:"stage"`
	Name     string    `json:"name"`
	Dir      string    `json:"dir,omitempty"` // of the sources, if they are not the reference's
	Digest   string    `json:"digest"`
	Worker   []MapStep `json:"worker"`          // the commands of an undisturbed worker, k1 and on
	Producer []MapStep `json:"producer"`        // those of a producer, p1 and on
	Cells    []MapCell `json:"cells"`           // one fault each
	Pairs    []MapCell `json:"pairs,omitempty"` // two faults each
	Millis   int64     `json:"millis"`          // for all cells that were run
}

// MapFormat is the version of the JSON form of a map.
const MapFormat = "importer-faultmap/1"

// MapStep is one command of the undisturbed job.
type MapStep struct {
	ID     string `json:"id"` // k3
	Label  string `json:"label"`
	Stock  bool   `json:"stock,omitempty"`  // it names the stock
	Writes bool   `json:"writes,omitempty"` // and may change it
}

// MapCell is one job with its faults.
type MapCell struct {
	Name    string      `json:"name"` // 07/k5/cut-after
	Verdict Verdict     `json:"verdict"`
	Outcome Outcome     `json:"outcome,omitempty"` // empty if not_run or error
	Why     string      `json:"why"`               // what is left, or why nothing was proven
	Story   []StoryLine `json:"story,omitempty"`
	Millis  int64       `json:"millis"`
}

// StoryLine is one thing that happened.
type StoryLine struct {
	Lane  string `json:"lane"`         // client, server, worker 1, ..., Redis
	To    string `json:"to,omitempty"` // the lane it goes to; empty if to nobody
	Text  string `json:"text"`
	Fault bool   `json:"fault,omitempty"` // a fault is what happened
	Lost  bool   `json:"lost,omitempty"`  // it or its answer did not arrive
}

// Storm is what many imports with faults at random came to.
type Storm struct {
	Format   string      `json:"format"`
	Engine   Engine      `json:"engine"`
	Stage    string      `json:"stage"`
	Name     string      `json:"name"`
	Dir      string      `json:"dir,omitempty"` // of the sources, if they are not the reference's
	Seed     uint64      `json:"seed"`
	Asked    int         `json:"asked"` // requests, repeats included
	Batches  int         `json:"batches"`
	Jobs     int         `json:"jobs"`
	Workers  int         `json:"workers"`
	Planned  int         `json:"planned"` // faults
	Fired    int         `json:"fired"`
	Kinds    []KindCount `json:"kinds"` // of those that fired
	Verdict  Verdict     `json:"verdict"`
	Reason   string      `json:"reason,omitempty"` // of not_run and error
	Findings []Finding   `json:"findings,omitempty"`
	Story    []StoryLine `json:"story,omitempty"` // of a small one
	Logs     []string    `json:"logs,omitempty"`
	Millis   int64       `json:"millis"`
}

// KindCount is how often a kind of fault fired.
type KindCount struct {
	Kind  string `json:"kind"`
	Fired int    `json:"fired"`
}

// StormFormat is the version of the JSON form of a storm.
const StormFormat = "importer-storm-results/1"
