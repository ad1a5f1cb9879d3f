package promise

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// pauseBound is the bound of the first pause in growingPauses; it doubles with every
// further one. pausedJobs are so many that chance makes no right policy look wrong:
// once in a million runs.
const (
	pauseBound = 100 * time.Millisecond
	pausedJobs = 16
)

// growingPauses lets many jobs fail together, attempt after attempt, and measures
// how long each of them rests. The pauses must be spread, because what failed together
// must not come back together, and grow, because what did not help soon may help later.
func growingPauses(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const attempts = 4
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{
			"IMPORTER_ATTEMPTS": fmt.Sprint(attempts), "IMPORTER_BACKOFF": pauseBound.String(),
			"IMPORTER_POLL_INTERVAL": "5ms", "IMPORTER_CONCURRENCY": fmt.Sprint(pausedJobs),
		}
		server, worker, err := w.Start(ctx, "worker", settings)
		if err != nil {
			return err
		}
		cuts := cutAll(ctx, worker.TrapStock(wire.BeforeServer))
		defer cuts.stop()
		var jobs []string
		for i := range pausedJobs {
			batch := fmt.Sprintf("batch-%d", i+1)
			if _, err := server.Accept(ctx, batch); err != nil {
				return err
			}
			jobs = append(jobs, shop.JobID(batch))
		}
		for _, job := range jobs {
			if _, err := w.UntilJob(ctx, server, job, "completed", "failed"); err != nil {
				return err
			}
		}
		rests := make([][]time.Duration, attempts-1) // by the number of the attempt before
		for _, job := range jobs {
			found := restsOf(worker.Logs(), job)
			if !saw.Equal("pauses of "+job+", from a line job_retry to the next job_taken", attempts-1, len(found)) {
				return nil
			}
			for i, rest := range found {
				rests[i] = append(rests[i], rest)
			}
		}
		told := saw.saysGrowth(worker.Logs(), attempts-1)
		means := saw.spread(rests)
		if told {
			first, last := means[0], means[len(means)-1]
			saw.Soon(last > first+pauseBound/4, "pauses between attempts", "longer with each attempt",
				fmt.Sprintf("on average %v after the first one and %v after the last", first.Round(time.Millisecond), last.Round(time.Millisecond)))
		}
		return nil
	})
}

// restsOf are the times from each line job_retry of the job to its next job_taken.
func restsOf(lines []program.Line, job string) []time.Duration {
	var rests []time.Duration
	var since time.Time
	for _, line := range lines {
		switch {
		case line.JobID != job:
		case line.Event == "job_retry":
			since = line.At
		case line.Event == "job_taken" && !since.IsZero():
			rests = append(rests, line.At.Sub(since))
			since = time.Time{}
		}
	}
	return rests
}

// saysGrowth looks at the pauses as the program tells them, which no slow machine can
// blur. What it does is measured as well, so it is of no use to tell something else.
func (s *Saw) saysGrowth(lines []program.Line, pauses int) bool {
	sums, counts := map[int]time.Duration{}, map[int]int{}
	for _, line := range lines {
		attempt, _ := line.Fields["attempt"].(float64)
		text, _ := line.Fields["pause"].(string)
		pause, err := time.ParseDuration(text)
		if line.Event == "job_retry" && err == nil {
			sums[int(attempt)] += pause
			counts[int(attempt)]++
		}
	}
	if counts[1] < pausedJobs || counts[pauses] < pausedJobs {
		return true // told in another form
	}
	first, last := sums[1]/time.Duration(counts[1]), sums[pauses]/time.Duration(counts[pauses])
	// Full jitter makes a difference of one and a half bounds, with a deviation of a third
	// of one; without growth there is none, with a deviation of a tenth. Chance can do much, so
	// this is looked at twice as well.
	return s.Soon(last > first+2*pauseBound/5, "pauses that the lines job_retry tell of", "longer with each attempt",
		fmt.Sprintf("on average %v after the first one and %v after the last", first.Round(time.Millisecond), last.Round(time.Millisecond)))
}

// spread judges pauses that came one after the other in several jobs, and returns how
// long they were on average.
func (s *Saw) spread(rests [][]time.Duration) (means []time.Duration) {
	bound, together := pauseBound, 0
	var told []string
	for _, rest := range rests {
		shortest, longest, sum := slices.Min(rest), slices.Max(rest), time.Duration(0)
		for _, d := range rest {
			sum += d
		}
		means = append(means, sum/time.Duration(len(rest)))
		told = append(told, fmt.Sprintf("%v to %v with a bound of %v", shortest.Round(time.Millisecond), longest.Round(time.Millisecond), bound))
		if shortest > bound/2 {
			together++
		}
		bound *= 2
	}
	seen := strings.Join(told, ", then ")
	s.Note("the pauses of %d jobs that failed together: %s", len(rests[0]), seen)
	// A slow machine makes pauses longer and hides how they differ, so this is about time.
	s.Soon(together < len(rests), "pauses of jobs that failed together",
		"spread at random from nothing to the bound, so that some come back before half of it", seen)
	return means
}
