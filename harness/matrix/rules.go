package matrix

// Rule is one promise that a cell or a check can see broken: the sentence that a
// learner reads, and the lesson section that explains it.
type Rule struct {
	ID       string
	Sentence string
	Lesson   string // file and anchor below lessons/
}

const (
	lesson05 = "05-queue-enqueue.md"
	lesson06 = "06-worker.md"
	lesson07 = "07-retries.md"
	lesson08 = "08-idempotent-apply.md"
)

// The rules that the scenarios watch.
var (
	RepeatAddsNothing = Rule{"repeat-adds-nothing",
		"A repeat of a batch changes nothing: an arrival is added to stock once.", lesson08 + "#the-rule"}
	NewBatchAdds = Rule{"new-batch-adds",
		"A new batch id is a new arrival and is added, even with the same rows.", lesson08 + "#the-rule"}
	OneResult = Rule{"one-result",
		"Stock, generation and mark change together or not at all.", lesson08 + "#one-result"}
	MarkHoldsResult = Rule{"mark-holds-result",
		"The mark holds the result of the import, so that a repeat can return it.", lesson08 + "#the-mark"}
	MarkForEver = Rule{"mark-for-ever",
		"The mark has no lifetime: when it vanishes, a repeat adds again.", lesson08 + "#the-mark"}
	SameAnswer = Rule{"same-answer",
		"Every repeat is given the result of the first import.", lesson08 + "#the-mark"}
	OtherRowsRefused = Rule{"other-rows-refused",
		"A batch id that comes back with other rows is no repeat and no new arrival: it is refused.", lesson08 + "#the-mark"}
	ComputeFirst = Rule{"compute-first",
		"Everything is checked and computed before the first write, because Redis takes no write back.", lesson08 + "#compute-first-write-after"}
	JobKnown = Rule{"job-known",
		"A repeated request finds the stored job and stores no second one while its record is kept.", lesson05 + "#ask-again"}
	AnswerInTime = Rule{"answer-in-time",
		"A producer that cannot reach Redis says 503 in bounded time, and works again when Redis does.", lesson05 + "#when-redis-is-away"}
	UnknownIsSaid = Rule{"unknown-is-said",
		"When Redis gives no reply the answer is 503: nobody repeats the command unasked, and nobody guesses how it went.", lesson05 + "#when-redis-is-away"}
	RetryEnds = Rule{"retry-ends",
		"Every job comes to an end: completed, or failed with a reason.", lesson07 + "#a-retry-needs-bounds"}
	PausesSpread = Rule{"pauses-spread",
		"Pauses grow and are spread at random, so that what failed together does not come back together.", lesson07 + "#pauses"}
	PermanentFailsAtOnce = Rule{"permanent-fails-at-once",
		"What the same payload cannot mend fails at once and is not tried again.", lesson07 + "#a-retry-needs-bounds"}
	TakenOver = Rule{"taken-over",
		"A job belongs to one worker for as long as that renews its lock, and to nobody's past.", lesson06 + "#who-owns-the-job"}
	OpenRepeat = Rule{"open-repeat",
		"A repeat is the policy of the job, counted and bounded; a client library that repeats by itself hides it.", lesson07 + "#in-the-open"}
	NothingDropped = Rule{"nothing-dropped",
		"A request is never answered with 202 and then forgotten.", lesson05 + "#ask-again"}
	SeedOnce = Rule{"seed-once",
		"Seeding may be repeated: it writes the opening catalogue if there is no stock, and never over any.", lesson05 + "#settings-and-logs"}
	FreshCatalogue = Rule{"fresh-catalogue",
		"The catalogue shown is the stock of the current generation.", lesson08 + "#one-result"}
	RefusedStoresNothing = Rule{"refused-stores-nothing",
		"A refused request stores nothing.", lesson05 + "#what-is-refused"}
	WorkerChecks = Rule{"worker-checks",
		"The worker checks a job by itself: another producer may have stored it unchecked.", lesson06 + "#the-worker-checks-again"}
	StoredForLater = Rule{"stored-for-later",
		"202 means stored for later: nothing is imported yet, and no number of rows is known.", lesson05 + "#what-202-says"}
	ReadableAnswer = Rule{"readable-answer",
		"Every answer has the form of the contract, because programs read it.", lesson05 + "#what-is-refused"}
	LimitFirst = Rule{"limit-first",
		"The rate limit comes before everything else: a flood of bad requests is a flood as well.", lesson05 + "#what-is-refused"}
	NoSilentDefault = Rule{"no-silent-default",
		"A setting that cannot be used is an error that names it, never a silent default, and it shows no password.", lesson05 + "#settings-and-logs"}
	CleanEnd = Rule{"clean-end",
		"A program that is asked to stop finishes or gives back what it has in hand, and exits with 0.", lesson06 + "#who-owns-the-job"}
	TellingLog = Rule{"telling-log",
		"A log line is one JSON object that names its event and shows no secret.", lesson05 + "#settings-and-logs"}
)

// Rules lists them all.
var Rules = []Rule{
	RepeatAddsNothing,
	NewBatchAdds,
	OneResult,
	MarkHoldsResult,
	MarkForEver,
	SameAnswer,
	OtherRowsRefused,
	ComputeFirst,
	JobKnown,
	AnswerInTime,
	UnknownIsSaid,
	RetryEnds,
	PausesSpread,
	PermanentFailsAtOnce,
	TakenOver,
	OpenRepeat,
	FreshCatalogue,
	SeedOnce,
	NothingDropped,
	RefusedStoresNothing,
	WorkerChecks,
	StoredForLater,
	ReadableAnswer,
	LimitFirst,
	NoSilentDefault,
	CleanEnd,
	TellingLog,
}
