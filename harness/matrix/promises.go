package matrix

import "slices"

// Promise is one check of the contract.
type Promise struct {
	Name  string
	Title string
	Rule  Rule
	From  string // the first stage that promises it
}

// Promises is the declared table. Adding one is a row here and a file in package
// promise. Those that take longest come first, so that they do not end last.
var Promises = []Promise{
	{"redis-killed", "Redis is killed after an import and started again: stock and mark agree", OneResult, "08"},
	{"redis-full", "Redis has no memory for a while: nothing is half done, and all goes on afterwards", OneResult, "08"},
	{"redis-hanging", "Redis gives no answer: 503 in time, and work goes on when it is back", AnswerInTime, "05"},
	{"renewed-lock", "a job longer than its lock stays with the worker that renews it", TakenOver, "06"},
	{"through-outage", "fifty requests through an outage: each is told 503, asked again, and added once", RepeatAddsNothing, "08"},
	{"bad-csv", "a shipment with anything wrong in it is refused as a whole, naming file and line", PermanentFailsAtOnce, "06"},
	{"worker-stop", "a worker that is asked to stop takes nothing new and loses nothing", CleanEnd, "08"},
	{"late-renewal", "a worker that lost its job and wakes up does not get it back by renewing its lock", TakenOver, "06"},
	{"killed-again", "a job that kills every worker comes to an end", RetryEnds, "07"},
	{"retention", "the record of a finished job is kept as long as it was told, and then it goes", JobKnown, "06"},
	{"concurrency", "a worker has as many jobs in hand as it was told to, and no more", TakenOver, "06"},
	{"states", "a job is seen waiting, active, delayed, completed and failed, and so it is counted", RetryEnds, "07"},
	{"two-servers", "two servers that are asked for one batch at once store one job", JobKnown, "05"},
	{"defaults", "a server without settings of its limit takes 60 requests of a client in a minute", NoSilentDefault, "05"},
	{"per-client", "the limit is that of a client's address, whatever the client says about itself", LimitFirst, "05"},
	{"seed", "seed writes the opening catalogue once and leaves existing stock alone", SeedOnce, "05"},
	{"worker-checks", "the worker refuses jobs that break the contract, at once and without touching stock", WorkerChecks, "06"},
	{"failed-again", "a failed job that is asked for again is named, and done again when it is put back", NothingDropped, "06"},
	{"good-csv", "a shipment that only looks odd is imported exactly", NewBatchAdds, "06"},
	{"killed-before-apply", "a worker killed before its apply arrives: another one does the job", TakenOver, "06"},
	{"removed-record", "a worker that wakes up after its job's record was removed brings nothing back", TakenOver, "08"},
	{"overall-deadline", "no retry begins after the overall deadline", RetryEnds, "07"},
	{"growing-pauses", "jobs that fail together come back at different times, and later each time", PausesSpread, "07"},
	{"bounded-retries", "a job that cannot succeed fails after its attempts, each of them in the open", RetryEnds, "07"},
	{"open-repeat", "a lost reply is repeated by the job's retry and by nobody else", OpenRepeat, "08"},
	{"killed-at-each-command", "a worker killed after any of its stock commands: the next one ends up right", OneResult, "08"},
	{"late-failure", "a worker that lost its job and then fails changes nothing about it", TakenOver, "06"},
	{"late-refusal", "a worker that lost its job and is then refused changes nothing about it", TakenOver, "08"},
	{"two-jobs-one-batch", "two workers with two jobs for one batch at once: one adds, both get its result", RepeatAddsNothing, "08"},
	{"same-job", "two workers with the same job in hand, let go together: it is added once", RepeatAddsNothing, "08"},
	{"batch-conflict", "a batch id that comes back with other rows is refused", OtherRowsRefused, "08"},
	{"mark-first", "a repeat gets its first result, whatever became of the stock", SameAnswer, "08"},
	{"two-batches", "two workers apply two batches at once, and both count", NewBatchAdds, "08"},
	{"any-order", "repeats that come late and between others add nothing and get their first result", SameAnswer, "08"},
	{"quantity-limit", "a shipment over the limit of one product is refused and leaves nothing behind", ComputeFirst, "08"},
	{"poisoned-keys", "damaged stock, generation or mark is found out before the first write", ComputeFirst, "08"},
	{"script-flush", "an emptied script cache is a normal day", RepeatAddsNothing, "06"},
	{"enqueue", "202 says that the job is stored, the same for a repeat, and nothing more", StoredForLater, "05"},
	{"body-refusals", "a body that is not as agreed is refused under a stable code and stores nothing", RefusedStoresNothing, "05"},
	{"paths", "unknown paths and wrong methods are refused as problems that programs can read", ReadableAnswer, "05"},
	{"catalogue", "the shop shows the stock sorted by sku, first from Redis and then from its copy", FreshCatalogue, "05"},
	{"rate-limit", "a client over its limit is told when to come back, and stores nothing", LimitFirst, "05"},
	{"redis-refused", "Redis refuses connections: 503 in time, and work goes on when it is back", AnswerInTime, "05"},
	{"redis-loading", "Redis still loads its data: 503 in time, and work goes on when it is done", AnswerInTime, "05"},
	{"redis-read-only", "Redis takes no writes: 503 in time, and work goes on when it does", AnswerInTime, "05"},
	{"redis-out-of-memory", "Redis has no memory left: 503 in time, and work goes on when it has", AnswerInTime, "05"},
	{"redis-away-at-start", "a server that starts before its Redis listens, says 503, and works when Redis comes", AnswerInTime, "05"},
	{"settings", "a setting that cannot be used ends the program with status 2 and one line", NoSilentDefault, "05"},
	{"worker-settings", "the same for the settings of a worker", NoSilentDefault, "06"},
	{"retry-settings", "the same for the settings of retries", NoSilentDefault, "07"},
	{"hang-up", "a client that hangs up and asks again has one job", JobKnown, "05"},
	{"stop", "a server that is asked to stop answers what it has in hand and exits with 0", CleanEnd, "05"},
	{"job-never-arrived", "a job lost on its way to Redis is never answered with 202, and a repeat stores it", StoredForLater, "05"},
	{"server-logs", "the server's log is one JSON object a line, names what happened, and shows no password", TellingLog, "05"},
}

// alone lists the promises whose check changes what all databases of a server
// share, so that nothing else may run beside it.
var alone = []string{"script-flush"}

// Alone says whether nothing else may run beside the check.
func (p Promise) Alone() bool { return slices.Contains(alone, p.Name) }

// PromisesOf are the promises of a stage.
func PromisesOf(stage string) []Promise {
	var list []Promise
	for _, p := range Promises {
		if stage >= p.From {
			list = append(list, p)
		}
	}
	return list
}
