package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	retryScript   = newScript("retry")
	promoteScript = newScript("promote")
)

// retryPolicy bounds the repeats of one job: a number of attempts, one overall
// deadline from its enqueue on, and pauses that grow and are spread at random.
type retryPolicy struct {
	attempts int
	backoff  time.Duration // upper bound of the first pause
	deadline time.Duration
}

// next decides what follows a failed attempt: a pause, or, if ok is false, the
// end, and why. A refusal ends at once: the same payload will be refused again.
func (p retryPolicy) next(a attempt, failure error) (pause time.Duration, ok bool, why string) {
	if _, refused := asRefusal(failure); refused {
		return 0, false, failure.Error()
	}
	if a.number >= p.attempts {
		return 0, false, fmt.Sprintf("attempts_exhausted: attempt %d of %d: %v", a.number, p.attempts, failure)
	}
	pause = p.pause(a.number)
	if a.age+time.Since(a.started)+pause >= p.deadline {
		return 0, false, fmt.Sprintf("deadline_exceeded: no attempt may begin later than %v after the enqueue: %v", p.deadline, failure)
	}
	return pause, true, failure.Error()
}

// pause is exponential backoff with full jitter: anything from nothing to a
// bound that doubles with each attempt. Without the jitter, all that failed
// together would come back together.
func (p retryPolicy) pause(number int) time.Duration {
	bound := p.backoff
	for ; number > 1 && bound < maxBackoff; number-- {
		bound *= 2 // cannot overflow: it stops at the first value over the cap
	}
	return rand.N(min(bound, maxBackoff) + 1)
}

// begin refuses an attempt that must not be made. A job whose worker died has
// no failure that next could have judged, so an attempt over the bound is found
// out here; and a due retry that no worker was there to take may have outlived
// its deadline. A first attempt is always made.
func (p retryPolicy) begin(a attempt) error {
	switch {
	case a.number > p.attempts:
		return refuse("attempts_exhausted", "%d attempts were begun and none was finished; what they did is not known", p.attempts)
	case a.number > 1 && !a.takenOver && a.age >= p.deadline:
		return refuse("deadline_exceeded", "%v have gone by since the enqueue, the deadline is %v", a.age, p.deadline)
	}
	return nil
}

// retry ends the attempt and lets the job rest for the pause.
func (d delivery) retry(ctx context.Context, e entry, pause time.Duration, reason string) error {
	keys := []string{streamKey, recordKey(e.jobID), delayedKey}
	return d.owned(retryScript.run(ctx, d.rdb, keys, group, d.consumer, e.id, e.jobID, pause.Milliseconds(), reason))
}

// promote puts the delayed jobs whose time has come back into the queue.
func (d delivery) promote(ctx context.Context) error {
	now, err := d.rdb.Time(ctx).Result()
	if err != nil {
		return fmt.Errorf("look for due retries: %w", err)
	}
	due, err := d.rdb.ZRangeArgs(ctx, redis.ZRangeArgs{
		Key: delayedKey, ByScore: true, Start: "-inf", Stop: strconv.FormatInt(now.UnixMilli(), 10), Count: 100,
	}).Result()
	if err != nil {
		return fmt.Errorf("look for due retries: %w", err)
	}
	for _, jobID := range due {
		if _, err := promoteScript.run(ctx, d.rdb, []string{streamKey, recordKey(jobID), delayedKey}, jobID); err != nil {
			return err
		}
	}
	return nil
}
