package matrix

// The steps of lost-response.
const (
	StepAcceptedLost   = "(a) 202 lost, asked again"
	StepAcceptedDone   = "(a) job done"
	StepEnqueueLost    = "(b) enqueue's reply lost, asked again"
	StepEnqueueDone    = "(b) job done"
	StepApplyReplyLost = "(c) apply's reply lost, job ended"
	StepNewID          = "(d) asked again with a new id"
	StepNewIDDone      = "(d) both jobs done"
)

// The client's side is the same at every stage: one job for one batch id.
var (
	acceptedLost = Want{
		Step: StepAcceptedLost, Title: "the server's 202 was lost and the client asked again with the same batch id",
		Rule: StoredForLater, Job: waiting(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 0}, {BatchA, 202}},
	}
	enqueueLost = Want{
		Step: StepEnqueueLost, Title: "Redis stored the job, its reply was lost, the client got 503 and asked again",
		Rule: StoredForLater, Job: waiting(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 503}, {BatchA, 202}},
	}
	newID = Want{
		Step: StepNewID, Title: "the 202 was lost and the client asked with a new id: for the system, another arrival",
		Rule: StoredForLater, Job: waiting(BatchNew), Records: exactly(2), Answers: []Answer{{BatchA, 0}, {BatchNew, 202}},
	}
)

func done(step string) Want {
	return Want{
		Step: step, Title: "a worker has done the one job",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing, Job: completed(BatchA), Records: exactly(1),
	}
}

// newIDDone is lawful for the system and wrong for the client: it wanted one
// delivery and has announced two.
var newIDDone = Want{
	Step: StepNewIDDone, Title: "a worker has done both jobs, as it was asked to",
	Applied: []string{BatchA, BatchNew}, Rule: NewBatchAdds, Job: completed(BatchNew), Records: exactly(2),
}

var lostResponseWaiting = []Want{
	acceptedLost, enqueueLost,
	{
		Step: StepNoWorker, Title: "there is no worker whose reply could be lost",
		Rule: StoredForLater, Job: waiting(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	newID,
}

var lostResponseOnce = []Want{
	acceptedLost, done(StepAcceptedDone),
	enqueueLost, done(StepEnqueueDone),
	{
		Step: StepApplyReplyLost, Title: "the stock was changed, the reply to the worker was lost, and the job has ended",
		Applied: []string{BatchA}, Rule: RepeatAddsNothing,
		Job: completed(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
	},
	newID, newIDDone,
}

// A lost reply looks like a failure, and without a retry it is taken for one.
var lostResponseUnknown = []Want{{
	Step: StepApplyReplyLost, Title: "the stock was changed, and the job says that it failed",
	Applied: []string{BatchA},
	Job:     &Job{State: "failed", Batch: BatchA}, Records: exactly(1), Answers: []Answer{{BatchA, 202}},
}}

// The retry does what a retry does: it adds again.
var lostResponseTwice = []Want{{
	Step: StepApplyReplyLost, Title: "the stock was changed, the reply was lost, and the retry has added again",
	Applied: []string{BatchA, BatchA},
	Job:     completed(BatchA), Records: exactly(1), Answers: []Answer{{BatchA, 202}},
}}
