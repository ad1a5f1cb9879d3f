package figures

// Units.
const (
	JobsPerSecond = "jobs/s"
	Millis        = "ms"
	Micros        = "µs"
)

// Rules of a target.
const (
	AtLeast = "at least"
	AtMost  = "at most"
)

// Declared is every measure, in the order of the report. A name says what, how many at
// once where that matters, and who.
var Declared = []Measure{
	{Name: "enqueue/1/stage-08", Title: "enqueue over HTTP, one awaited: stage 08", Unit: JobsPerSecond},
	{Name: "enqueue/1/asynq", Title: "enqueue over HTTP, one awaited: asynq", Unit: JobsPerSecond},
	{Name: "enqueue/1/asynq-client", Title: "enqueue without HTTP, one awaited: asynq", Unit: JobsPerSecond},
	{Name: "enqueue/64/stage-08", Title: "enqueue over HTTP, 64 in flight: stage 08", Unit: JobsPerSecond},
	{Name: "enqueue/64/asynq", Title: "enqueue over HTTP, 64 in flight: asynq", Unit: JobsPerSecond},

	{Name: "process/1/stage-06", Title: "process, 1 in hand: stage 06", Unit: JobsPerSecond},
	{Name: "process/1/stage-07", Title: "process, 1 in hand: stage 07", Unit: JobsPerSecond},
	{Name: "process/1/stage-08", Title: "process, 1 in hand: stage 08", Unit: JobsPerSecond},
	{Name: "process/1/asynq", Title: "process, 1 in hand: asynq", Unit: JobsPerSecond},
	{Name: "process/1/limit", Title: "process, 1 in hand: apply without a queue", Unit: JobsPerSecond},
	{Name: "process/16/stage-08", Title: "process, 16 in hand: stage 08", Unit: JobsPerSecond},
	{Name: "process/16/asynq", Title: "process, 16 in hand: asynq", Unit: JobsPerSecond},
	{Name: "process/16/limit", Title: "process, 16 in hand: apply without a queue", Unit: JobsPerSecond},
	{Name: "process/64/stage-08", Title: "process, 64 in hand: stage 08", Unit: JobsPerSecond},
	{Name: "process/64/asynq", Title: "process, 64 in hand: asynq", Unit: JobsPerSecond},
	{Name: "process/64/limit", Title: "process, 64 in hand: apply without a queue", Unit: JobsPerSecond},
	{Name: "both/stage-08", Title: "enqueue (64 in flight) and process (16 in hand) together: stage 08", Unit: JobsPerSecond},

	{Name: "latency/median/stage-08", Title: "one job into an idle worker, enqueue to done, median: stage 08", Unit: Millis},
	{Name: "latency/p95/stage-08", Title: "one job into an idle worker, enqueue to done, p95: stage 08", Unit: Millis},
	{Name: "stop/stage-08", Title: "an idle worker is asked to stop and has ended: stage 08", Unit: Millis},

	{Name: "apply/1", Title: "apply in Redis, 1 row", Unit: Micros},
	{Name: "apply/3", Title: "apply in Redis, 3 rows", Unit: Micros},
	{Name: "apply/10", Title: "apply in Redis, 10 rows", Unit: Micros},
	{Name: "apply/50", Title: "apply in Redis, 50 rows", Unit: Micros},
	{Name: "apply/100", Title: "apply in Redis, 100 rows", Unit: Micros},
	{Name: "apply/repeat", Title: "apply in Redis, 3 rows whose mark is there", Unit: Micros},
}

var declaredRatios = []Ratio{
	ratio("enqueue, one awaited: stage 08 to asynq, both over HTTP", "enqueue/1/stage-08", "enqueue/1/asynq"),
	ratio("enqueue, 64 in flight: stage 08 to asynq, both over HTTP", "enqueue/64/stage-08", "enqueue/64/asynq"),
	ratio("process, 1 in hand: stage 08 to asynq", "process/1/stage-08", "process/1/asynq"),
	ratio("process, 16 in hand: stage 08 to asynq", "process/16/stage-08", "process/16/asynq"),
	ratio("process, 64 in hand: stage 08 to asynq", "process/64/stage-08", "process/64/asynq"),
	ratio("process, 1 in hand: stage 08 to apply without a queue", "process/1/stage-08", "process/1/limit"),
	ratio("process, 16 in hand: stage 08 to apply without a queue", "process/16/stage-08", "process/16/limit"),
	ratio("process, 64 in hand: stage 08 to apply without a queue", "process/64/stage-08", "process/64/limit"),
	ratio("process, 1 in hand: stage 08 to stage 06", "process/1/stage-08", "process/1/stage-06"),
	ratio("process, 1 in hand: stage 08 to stage 07", "process/1/stage-08", "process/1/stage-07"),
	ratio("apply: 100 rows to 1 row", "apply/100", "apply/1"),
	ratio("apply: a repeat to a first time, 3 rows", "apply/repeat", "apply/3"),
}

func ratio(title, of, to string) Ratio {
	return Ratio{Name: of + " : " + to, Title: title, Of: of, To: to}
}

var declaredTargets = []Target{
	{Title: "16 in hand: stage 08 to asynq", Of: "process/16/stage-08 : process/16/asynq", Rule: AtLeast, Bound: 2},
	{Title: "16 in hand: stage 08 to apply without a queue", Of: "process/16/stage-08 : process/16/limit", Rule: AtLeast, Bound: 0.6},
	{Title: "64 in hand: stage 08 to asynq", Of: "process/64/stage-08 : process/64/asynq", Rule: AtLeast, Bound: 2.5},
	{Title: "64 in hand: stage 08 to apply without a queue", Of: "process/64/stage-08 : process/64/limit", Rule: AtLeast, Bound: 0.6},
	{Title: "enqueue, one awaited: stage 08 to asynq", Of: "enqueue/1/stage-08 : enqueue/1/asynq", Rule: AtLeast, Bound: 1},
	{Title: "one job into an idle worker, median", Of: "latency/median/stage-08", Rule: AtMost, Bound: 2, Unit: Millis},
	{Title: "an idle worker ends", Of: "stop/stage-08", Rule: AtMost, Bound: 100, Unit: Millis},
	{Title: "apply: 100 rows to 1 row", Of: "apply/100 : apply/1", Rule: AtMost, Bound: 50},
	{Title: "apply: a repeat to a first time, 3 rows", Of: "apply/repeat : apply/3", Rule: AtMost, Bound: 1.0 / 3},
}
