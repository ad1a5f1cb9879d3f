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
		rests := make([][]rest, attempts-1) // by the number of the attempt before
		for _, job := range jobs {
			found := restsOf(worker.Logs(), job)
			if !saw.Equal("pauses of "+job+", from a line job_retry to the next job_taken", attempts-1, len(found)) {
				return nil
			}
			for i, r := range found {
				rests[i] = append(rests[i], r)
			}
		}
		saw.pauses(rests)
		return nil
	})
}

// rest is a pause between two attempts of a job.
type rest struct {
	told time.Duration // by the line job_retry; negative if it tells of none in Go's form
	took time.Duration // until the next job_taken
}

// restsOf are the pauses of a job, as its lines in the log tell.
func restsOf(lines []program.Line, job string) []rest {
	var rests []rest
	var since time.Time
	told := time.Duration(-1)
	for _, line := range lines {
		switch {
		case line.JobID != job:
		case line.Event == "job_retry":
			since, told = line.At, -1
			text, _ := line.Fields["pause"].(string)
			if pause, err := time.ParseDuration(text); err == nil {
				told = pause
			}
		case line.Event == "job_taken" && !since.IsZero():
			rests = append(rests, rest{told, line.At.Sub(since)})
			since = time.Time{}
		}
	}
	return rests
}

// pauses judges pauses that came one after the other in several jobs. How they are spread
// and how they grow is looked at in what the program tells of them, where it does: no slow
// machine can blur that. That it does rest is measured then, and all is measured otherwise.
func (s *Saw) pauses(rests [][]rest) {
	told, took := split(rests)
	if told == nil {
		s.spread(took)
		s.growth("pauses between attempts", took)
		return
	}
	s.spread(told)
	s.growth("pauses that the lines job_retry tell of", told)
	if said, was := sum(told), sum(took); len(s.Findings) == 0 {
		s.Soon(was >= said/2, "pauses between attempts", "as long as the lines job_retry tell",
			fmt.Sprintf("%v in all, and %v are told", was.Round(time.Millisecond), said.Round(time.Millisecond)))
	}
}

// split is what is told and what was measured of each pause; told is nil unless every one is
// told.
func split(rests [][]rest) (told, took [][]time.Duration) {
	told, took = make([][]time.Duration, len(rests)), make([][]time.Duration, len(rests))
	all := true
	for i, list := range rests {
		for _, r := range list {
			told[i], took[i] = append(told[i], r.told), append(took[i], r.took)
			all = all && r.told >= 0
		}
	}
	if !all {
		told = nil
	}
	return told, took
}

// growth compares the first pauses with the last. Full jitter makes a difference of one and
// a half bounds, with a deviation of a third of one; without growth there is none, with a
// deviation of a tenth. Chance can do much, so this is looked at twice.
func (s *Saw) growth(about string, pauses [][]time.Duration) {
	first, last := mean(pauses[0]), mean(pauses[len(pauses)-1])
	s.Soon(last > first+2*pauseBound/5, about, "longer with each attempt",
		fmt.Sprintf("on average %v after the first one and %v after the last", first.Round(time.Millisecond), last.Round(time.Millisecond)))
}

// spread looks whether the pauses of each attempt lie apart.
func (s *Saw) spread(pauses [][]time.Duration) {
	bound, together := pauseBound, 0
	var seen []string
	for _, list := range pauses {
		shortest, longest := slices.Min(list), slices.Max(list)
		seen = append(seen, fmt.Sprintf("%v to %v with a bound of %v", shortest.Round(time.Millisecond), longest.Round(time.Millisecond), bound))
		if shortest > bound/2 {
			together++
		}
		bound *= 2
	}
	s.Note("the pauses of %d jobs that failed together: %s", len(pauses[0]), strings.Join(seen, ", then "))
	s.Soon(together < len(pauses), "pauses of jobs that failed together",
		"spread at random from nothing to the bound, so that some come back before half of it", strings.Join(seen, ", then "))
}

func mean(list []time.Duration) time.Duration {
	return sum([][]time.Duration{list}) / time.Duration(len(list))
}

func sum(lists [][]time.Duration) (all time.Duration) {
	for _, list := range lists {
		for _, d := range list {
			all += d
		}
	}
	return all
}
