package matrix

// The steps of batch-ab.
const (
	StepA        = "A"
	StepAKept    = "A again, record kept"
	StepARemoved = "A again, record removed"
	StepB        = "B with the same rows"
)

// Without a worker the jobs wait, one for each batch.
var batchABWaiting = []Want{
	{
		Step: StepA, Title: "batch A was asked for",
		Rule: StoredForLater, Job: waiting(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepAKept, Title: "batch A was asked for again while its job waits",
		Rule: StoredForLater, Job: waiting(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepB, Title: "batch B was asked for, with the same rows as A",
		Rule: StoredForLater, Job: waiting(BatchB), Records: exactly(2), Answers: []Answer{{BatchB, 202}},
	},
}

var batchABOnce = []Want{
	{
		Step: StepA, Title: "batch A has arrived",
		Applied: []string{BatchA}, Rule: NewBatchAdds,
		Job: completed(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepAKept, Title: "batch A was asked for again while the record of its job was kept",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing,
		Job: completed(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	{
		Step: StepARemoved, Title: "batch A was asked for again after retention had removed the record of its job",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing,
		Job: &Job{Gone: true}, Records: exactly(0), Answers: []Answer{{BatchA, 202}, {BatchA, 202}},
	},
	{
		Step: StepB, Title: "batch B has arrived, with the same rows as A",
		Applied: []string{BatchA, BatchB}, Rule: NewBatchAdds,
		Job: &Job{Gone: true}, Records: exactly(0), Answers: []Answer{{BatchB, 202}},
	},
}

// The job id forgets when the record goes, and nothing else remembers.
var batchABForgets = []Want{
	{
		Step: StepARemoved, Title: "the record is gone, the job id is new again, and A is added again",
		Applied: []string{BatchA, BatchA},
		Job:     &Job{Gone: true}, Records: exactly(0), Answers: []Answer{{BatchA, 202}, {BatchA, 202}},
	},
	{
		Step: StepB, Title: "B comes on top of what A has added twice",
		Applied: []string{BatchA, BatchA, BatchB},
		Job:     &Job{Gone: true}, Records: exactly(0), Answers: []Answer{{BatchB, 202}},
	},
}
