package matrix

import "slices"

// Want is what one step of a scenario must show.
type Want struct {
	Step  string
	Title string // what has happened by now, in the words of the lesson
	// Applied lists the batches whose rows are in stock, once for each time that
	// they have been added. Its length is also the generation.
	Applied []string
	Rule    Rule // broken if the stock is another one
	// Job is what must be known of the step's job; nil if nothing is asked.
	Job *Job
	// Records is how many job records are kept in all; nil if nothing is asked.
	Records *int
	// Answers are what the client was told, in order.
	Answers []Answer
}

// Marks lists the batches that must have a mark, where a stage has marks: those
// that have been applied, each once.
func (w Want) Marks() []string {
	var marks []string
	for _, batch := range w.Applied {
		if !slices.Contains(marks, batch) {
			marks = append(marks, batch)
		}
	}
	return marks
}

// Job is what must be known of a job.
type Job struct {
	Gone    bool   // its record has been removed
	State   string // completed, waiting, ...
	Batch   string
	Results bool // its result must be that of the batch
}

// Answer is what the client must be told.
type Answer struct {
	Batch  string
	Status int // 0: the answer is lost on the way
}

func exactly(n int) *int { return &n }

// The batches of the scenarios.
const (
	BatchA = "batch-a"
	BatchB = "batch-b"
	// BatchNew is the new id that a client makes for what is no new arrival.
	BatchNew = "batch-a-again"
)

func waiting(batch string) *Job   { return &Job{State: "waiting", Batch: batch} }
func completed(batch string) *Job { return &Job{State: "completed", Batch: batch, Results: true} }
