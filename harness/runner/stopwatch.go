package runner

import (
	"sync/atomic"
	"time"

	"example.com/importer/harness/results"
)

// stopwatch takes the times of one run.
type stopwatch struct {
	begun time.Time
	took  results.Timings
}

func newStopwatch() *stopwatch { return &stopwatch{begun: time.Now()} }

// lap begins to take a time. The returned function adds it to place, in ms; places differ
// for what goes on side by side.
func (*stopwatch) lap(place *int64) (done func()) {
	begun := time.Now()
	return func() { *place += time.Since(begun).Milliseconds() }
}

func (s *stopwatch) timings() results.Timings {
	s.took.Total = time.Since(s.begun).Milliseconds()
	return s.took
}

// waits adds up how long something was waited for, in as many places at once as there are.
type waits struct{ nanos atomic.Int64 }

func (w *waits) add(d time.Duration) { w.nanos.Add(int64(d)) }

func (w *waits) millis() int64 { return time.Duration(w.nanos.Load()).Milliseconds() }
