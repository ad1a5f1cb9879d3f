package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	startScript    = newScript("start")
	renewScript    = newScript("renew")
	finishScript   = newScript("finish")
	givebackScript = newScript("giveback")
	leaveScript    = newScript("leave")
)

// errLockLost says that another worker has the job by now. What this worker
// knows about it no longer counts, and nothing was written.
var errLockLost = errors.New("lock lost: another worker has the job")

// delivery is the worker's half of the queue. Its consumer name is its lock
// token: Redis remembers which consumer holds an entry and since when, and
// every step below acts only while that is still this one.
type delivery struct {
	rdb      *redis.Client
	blocking *redis.Client // for the waiting read alone, so that closing it ends the wait
	consumer string
	lock     time.Duration // a job not renewed for this long may be taken over
	keep     time.Duration // retention of finished records
}

// newConsumerName is fresh for every worker that starts. A name that comes back
// after a crash would own what its former bearer held, and never be a stranger.
func newConsumerName() string { return "worker-" + rand.Text() }

// entry is a place in the stream: a job that is ours for as long as we renew it.
type entry struct {
	id        string
	jobID     string
	takenOver bool // from a worker that died or stalled
}

// attempt is an entry whose job has been started.
type attempt struct {
	entry
	name, data string
	number     int           // 1 for the first
	age        time.Duration // since the enqueue, by Redis's clock
	started    time.Time
}

// next waits up to wait for a job that nobody has yet.
func (d delivery) next(ctx context.Context, wait time.Duration) (entry, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, wait+commandTimeout)
	defer cancel()
	streams, err := d.blocking.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: group, Consumer: d.consumer, Streams: []string{streamKey, ">"},
		Count: 1, Block: max(wait, time.Millisecond), // 0 would wait for ever
	}).Result()
	switch {
	case errors.Is(err, redis.Nil):
		return entry{}, false, nil
	case redis.HasErrorPrefix(err, "NOGROUP"):
		return entry{}, false, d.join(ctx)
	case err != nil:
		return entry{}, false, fmt.Errorf("take a job: %w", err)
	}
	return entryOf(streams[0].Messages[0], false), true, nil
}

// join makes the group, from the first entry on, if no producer has done so.
func (d delivery) join(ctx context.Context) error {
	err := d.rdb.XGroupCreateMkStream(ctx, streamKey, group, "0").Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") {
		return fmt.Errorf("make the consumer group: %w", err)
	}
	return nil
}

// forgetDead removes the names of workers that have asked for nothing for so long
// and hold nothing: they were killed. Each worker has a fresh name, so they would pile up.
func (d delivery) forgetDead(ctx context.Context, idle time.Duration) error {
	consumers, err := d.rdb.XInfoConsumers(ctx, streamKey, group).Result()
	if redis.HasErrorPrefix(err, "NOGROUP") || redis.HasErrorPrefix(err, "no such key") {
		return nil // nobody has worked here yet
	}
	if err != nil {
		return fmt.Errorf("look for dead workers: %w", err)
	}
	for _, c := range consumers {
		if c.Pending == 0 && c.Idle >= idle {
			if _, err := leaveScript.run(ctx, d.rdb, []string{streamKey}, group, c.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeOver looks for one job whose lock was not renewed in time.
//
// TODO 06.3 (lessons/06-worker.md#commands-of-a-stream): take over a stalled job: ask
// XAUTOCLAIM for one entry of the group that has been idle for d.lock, and make it ours. One call looks at a few
// entries only and says where to go on; "0-0" is the end of the list. NOGROUP means
// that there is nothing to take over yet.
func (d delivery) takeOver(ctx context.Context) (entry, bool, error) {
	return entry{}, false, nil
}

func entryOf(message redis.XMessage, takenOver bool) entry {
	jobID, _ := message.Values["job"].(string)
	return entry{id: message.ID, jobID: jobID, takenOver: takenOver}
}

// start makes the job active and counts the attempt. ok is false when there is
// nothing to do: the record was removed, or another worker has the job.
func (d delivery) start(ctx context.Context, e entry) (a attempt, ok bool, err error) {
	reply, err := startScript.run(ctx, d.rdb, []string{streamKey, recordKey(e.jobID)}, group, d.consumer, e.id)
	if err != nil {
		return attempt{}, false, err
	}
	answer, _ := reply.([]any)
	if len(answer) != 6 {
		return attempt{}, false, nil
	}
	a = attempt{entry: e, started: time.Now()}
	a.name, _ = answer[1].(string)
	a.data, _ = answer[2].(string)
	number, _ := answer[3].(int64)
	enqueued, _ := answer[4].(int64)
	now, _ := answer[5].(int64)
	a.number, a.age = int(number), time.Duration(now-enqueued)*time.Millisecond
	return a, true, nil
}

// renew keeps the lock; errLockLost if it is gone.
func (d delivery) renew(ctx context.Context, e entry) error {
	return d.owned(renewScript.run(ctx, d.rdb, []string{streamKey}, group, d.consumer, e.id))
}

// complete ends the job with its result (JSON).
func (d delivery) complete(ctx context.Context, e entry, result []byte) error {
	return d.finish(ctx, e, completedKey, stateCompleted, "result", string(result))
}

// fail ends the job for good with a reason.
func (d delivery) fail(ctx context.Context, e entry, reason string) error {
	return d.finish(ctx, e, failedKey, stateFailed, "error", reason)
}

func (d delivery) finish(ctx context.Context, e entry, finishedKey, state, field, value string) error {
	keys := []string{streamKey, recordKey(e.jobID), finishedKey}
	return d.owned(finishScript.run(ctx, d.rdb, keys, group, d.consumer, e.id, e.jobID, state, field, value, d.keep.Milliseconds()))
}

// giveBack puts the job back into the queue, for any worker.
func (d delivery) giveBack(ctx context.Context, e entry) error {
	keys := []string{streamKey, recordKey(e.jobID)}
	return d.owned(givebackScript.run(ctx, d.rdb, keys, group, d.consumer, e.id, e.jobID))
}

// leave gives back what this worker still holds (a job can have been handed to
// it in the moment it stopped waiting) and signs it off.
func (d delivery) leave(ctx context.Context) error {
	held, err := d.rdb.XPendingExt(ctx, &redis.XPendingExtArgs{
		Stream: streamKey, Group: group, Start: "-", End: "+", Count: 100, Consumer: d.consumer,
	}).Result()
	if redis.HasErrorPrefix(err, "NOGROUP") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for jobs in hand: %w", err)
	}
	for _, h := range held {
		messages, err := d.rdb.XRange(ctx, streamKey, h.ID, h.ID).Result()
		if err != nil {
			return fmt.Errorf("read entry %s: %w", h.ID, err)
		}
		for _, message := range messages {
			if err := d.giveBack(ctx, entryOf(message, false)); err != nil && !errors.Is(err, errLockLost) {
				return err
			}
		}
	}
	_, err = leaveScript.run(ctx, d.rdb, []string{streamKey}, group, d.consumer)
	return err
}

// owned reads the answer of a script that acts only for the owner.
func (delivery) owned(reply any, err error) error {
	switch {
	case err != nil:
		return err
	case reply == int64(1):
		return nil
	default:
		return errLockLost
	}
}
