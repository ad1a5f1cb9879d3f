package main

import (
	"context"
	"fmt"
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
// end, and why.
//
// TODO 07.1 (lessons/07-retries.md#a-retry-needs-bounds): decide what follows a failure.
// So far every failure is the end, as in stage 06. Let it be the end for a refusal (asRefusal), for the last of
// p.attempts (say attempts_exhausted), and when the pause would end after the
// deadline, counted from the enqueue (a.age, which was measured at a.started; say
// deadline_exceeded). Otherwise pause, and try again.
func (p retryPolicy) next(a attempt, failure error) (pause time.Duration, ok bool, why string) {
	return 0, false, failure.Error()
}

// pause is how long a job rests after its failed attempt.
//
// TODO 07.2 (lessons/07-retries.md#pauses): let the pauses grow and
// spread: the bound is p.backoff after the first attempt and doubles with each, up to maxBackoff. The pause is drawn at
// random between nothing and the bound: that is the jitter.
func (p retryPolicy) pause(number int) time.Duration {
	return p.backoff
}

// begin refuses an attempt that must not be made.
//
// TODO 07.3 (lessons/07-retries.md#the-deadline): refuse what begins too late: a
// job whose worker died has no failure that next could judge. Refuse an attempt over p.attempts
// (attempts_exhausted), and a due retry that was picked up only after the deadline
// (deadline_exceeded). A first attempt is always made, and a job that was taken over
// may still be finished.
func (p retryPolicy) begin(a attempt) error {
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
