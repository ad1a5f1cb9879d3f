package matrix

// Want is what one step of a scenario must show.
type Want struct {
	Step  string
	Title string // what has happened by now, in the words of the lesson
	// Applied lists the batches whose rows are in stock, once for each time that
	// they have been added. Its length is also the generation.
	Applied []string
	Rule    Rule // broken if the stock is another one
	// Marks lists the batches that must have a mark; no other may have one.
	Marks []string
	// Job is what must be known of the step's job; nil if nothing is asked.
	Job *Job
	// Records is how many job records are kept in all; nil if nothing is asked.
	Records *int
	// Answers are what the client was told, in order.
	Answers []Answer
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
)

// The steps of batch-ab.
const (
	StepA        = "A"
	StepAKept    = "A again, record kept"
	StepARemoved = "A again, record removed"
	StepB        = "B with the same rows"
)

var batchABOnce = []Want{
	{
		Step: StepA, Title: "batch A has arrived",
		Applied: []string{BatchA}, Rule: NewBatchAdds, Marks: []string{BatchA},
		Job:     &Job{State: "completed", Batch: BatchA, Results: true},
		Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepAKept, Title: "batch A was asked for again while the record of its job was kept",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Marks: []string{BatchA},
		Job:     &Job{State: "completed", Batch: BatchA, Results: true},
		Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepARemoved, Title: "batch A was asked for again after retention had removed the record of its job",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Marks: []string{BatchA},
		Job:     &Job{Gone: true},
		Records: exactly(0), Answers: []Answer{{BatchA, 202}, {BatchA, 202}},
	},
	{
		Step: StepB, Title: "batch B has arrived, with the same rows as A",
		Applied: []string{BatchA, BatchB}, Rule: NewBatchAdds, Marks: []string{BatchA, BatchB},
		Job:     &Job{Gone: true},
		Records: exactly(0), Answers: []Answer{{BatchB, 202}},
	},
}

// The steps of lost-response.
const (
	StepAcceptedLost   = "(a) 202 lost, asked again"
	StepAcceptedDone   = "(a) job done"
	StepEnqueueLost    = "(b) enqueue's reply lost, asked again"
	StepEnqueueDone    = "(b) job done"
	StepApplyReplyLost = "(c) apply's reply lost, job done"
)

var lostResponseOnce = []Want{
	{
		Step: StepAcceptedLost, Title: "the server's 202 was lost and the client asked again with the same batch id",
		Rule: RepeatAddsNothing, Job: &Job{State: "waiting", Batch: BatchA},
		Records: exactly(1), Answers: []Answer{{BatchA, 0}, {BatchA, 202}},
	},
	{
		Step: StepAcceptedDone, Title: "a worker has done the one job",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Marks: []string{BatchA},
		Job: &Job{State: "completed", Batch: BatchA, Results: true}, Records: exactly(1),
	},
	{
		Step: StepEnqueueLost, Title: "Redis stored the job, its reply was lost, the client got 503 and asked again",
		Rule: RepeatAddsNothing, Job: &Job{State: "waiting", Batch: BatchA},
		Records: exactly(1), Answers: []Answer{{BatchA, 503}, {BatchA, 202}},
	},
	{
		Step: StepEnqueueDone, Title: "a worker has done the one job",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Marks: []string{BatchA},
		Job: &Job{State: "completed", Batch: BatchA, Results: true}, Records: exactly(1),
	},
	{
		Step: StepApplyReplyLost, Title: "the stock was changed, the reply to the worker was lost, and the job was tried again",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Marks: []string{BatchA},
		Job: &Job{State: "completed", Batch: BatchA, Results: true}, Records: exactly(1),
		Answers: []Answer{{BatchA, 202}},
	},
}

// The steps of double-worker.
const (
	StepSecondDone = "worker 2 has done the job"
	StepFirstAwake = "worker 1 went on"
)

var doubleWorkerOnce = []Want{
	{
		Step: StepSecondDone, Title: "worker 1 was frozen, its lock ran out, and worker 2 has done the job",
		Applied: []string{BatchA}, Rule: NewBatchAdds, Marks: []string{BatchA},
		Job:     &Job{State: "completed", Batch: BatchA, Results: true},
		Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepFirstAwake, Title: "worker 1 woke up and its own command for the same job ran as well",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Marks: []string{BatchA},
		Job: &Job{State: "completed", Batch: BatchA, Results: true}, Records: exactly(1),
	},
}
