package measure

// Plan says how much is done in one round.
type Plan struct {
	Rounds  int
	Enqueue int // jobs, one awaited
	Flood   int // jobs, many in flight
	OneHand int // jobs, one in hand
	Process int // jobs, many in hand
	Latency int // jobs, one after the other
	Stops   int // workers that are started and stopped
	Calls   int // of the script, for each number of rows
}

// Full is the plan whose figures may be told to others. A shipment adds 12 lamps, and no
// product may hold more than a million, so no number may be above 80,000.
var Full = Plan{Rounds: 5, Enqueue: 2000, Flood: 6000, OneHand: 2000, Process: 8000, Latency: 300, Stops: 10, Calls: 500}

// Quick is a look that takes less than a minute.
var Quick = Plan{Rounds: 2, Enqueue: 300, Flood: 1000, OneHand: 300, Process: 1500, Latency: 50, Stops: 3, Calls: 150}

// Tiny proves that everything can be measured, and its figures say nothing.
var Tiny = Plan{Rounds: 1, Enqueue: 20, Flood: 100, OneHand: 150, Process: 600, Latency: 5, Stops: 1, Calls: 5}
