package matrix

// The steps of double-worker.
const (
	StepSecondDone = "worker 2 has done the job"
	StepFirstAwake = "worker 1 went on"
	// StepNoWorker stands for the whole story where there is no worker.
	StepNoWorker = "no worker, the job waits"
)

var doubleWorkerNone = []Want{{
	Step: StepNoWorker, Title: "this stage has no worker, and its work command says so",
	Rule: StoredForLater, Job: waiting(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
}}

var doubleWorkerOnce = []Want{
	{
		Step: StepSecondDone, Title: "worker 1 was frozen, its lock ran out, and worker 2 has done the job",
		Applied: []string{BatchA}, Rule: NewBatchAdds,
		Job: completed(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepFirstAwake, Title: "worker 1 woke up and its own commands for the same job ran as well",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing,
		Job: completed(BatchA), Records: exactly(1),
	},
}

// The lock protects the job, and nothing protects the stock.
var doubleWorkerTwice = []Want{{
	Step: StepFirstAwake, Title: "worker 1 woke up and added the shipment once more",
	Applied: []string{BatchA, BatchA},
	Job:     completed(BatchA), Records: exactly(1),
}}
