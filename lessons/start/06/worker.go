package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"
)

const (
	// grace is how long a worker that was asked to stop goes on with what it has
	// in hand before it gives it back.
	grace = 5 * time.Second
	// forgetAfter is far longer than a living worker goes without asking for work.
	forgetAfter = 24 * time.Hour
)

// work runs until ctx ends, with cfg.concurrency jobs in hand at most.
func work(ctx context.Context, cfg config, log *slog.Logger) error {
	rdb := connect(cfg, commandTimeout, 2*cfg.concurrency) // a job and the renewal of its lock
	defer rdb.Close()
	blocking := connect(cfg, commandTimeout, cfg.concurrency)
	// A read that waits for a job does not notice that its context has ended;
	// closing its connection is what ends it.
	stopWaiting := context.AfterFunc(ctx, func() { blocking.Close() })
	defer func() { stopWaiting(); blocking.Close() }()

	var slots sync.WaitGroup
	for range cfg.concurrency {
		w := worker{
			delivery: delivery{rdb: rdb, blocking: blocking, consumer: newConsumerName(), lock: cfg.lockDuration, keep: cfg.retention},
			dataDir:  cfg.dataDir, poll: cfg.pollInterval, log: log,
		}
		slots.Go(func() { w.run(ctx) })
	}
	slots.Wait()
	return nil
}

// worker has one job in hand at a time.
type worker struct {
	delivery
	dataDir string
	poll    time.Duration
	log     *slog.Logger
}

func (w worker) run(ctx context.Context) {
	var looked time.Time // when stalled jobs were last looked at
	down := false        // so that an outage is one line and not a flood
	if err := w.forgetDead(ctx, forgetAfter); err != nil {
		down = true
		w.log.Error("redis_unavailable", "error", err.Error())
	}
	for ctx.Err() == nil {
		e, ok, err := w.pick(ctx, &looked)
		switch {
		case err != nil && ctx.Err() == nil:
			if !down {
				w.log.Error("redis_unavailable", "error", err.Error())
			}
			down = true
			pause(ctx, min(w.poll, time.Second))
		case ok:
			down = false
			w.attend(ctx, e)
		default:
			down = false
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), commandTimeout)
	defer cancel()
	if err := w.leave(last); err != nil {
		w.log.Error("redis_unavailable", "error", err.Error())
	}
}

// pick returns a stalled job if the time has come to look for one, and waits
// for a new one otherwise, no longer than until it is time to look again.
func (w worker) pick(ctx context.Context, looked *time.Time) (entry, bool, error) {
	if time.Since(*looked) >= w.poll {
		if e, ok, err := w.takeOver(ctx); ok || err != nil {
			return e, ok, err // looked stays: where one worker died there may be more jobs
		}
		*looked = time.Now()
	}
	return w.next(ctx, w.poll-time.Since(*looked))
}

// attend does one attempt of a job and records how it went.
func (w worker) attend(ctx context.Context, e entry) {
	// A signal to stop must not tear the job in hand: it gets the grace period.
	inHand, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stopGrace := context.AfterFunc(ctx, func() {
		pause(inHand, grace)
		cancel()
	})
	defer stopGrace()

	log := w.log.With("jobId", e.jobID)
	a, ok, err := w.start(inHand, e)
	if err != nil {
		log.Error("redis_unavailable", "error", err.Error())
		return
	}
	if !ok {
		log.Info("job_gone")
		return
	}
	event := "job_taken"
	if a.takenOver {
		event = "job_taken_over"
	}
	log.Info(event, "attempt", a.number)

	stopRenewing := w.keepLock(inHand, e)
	res, err := w.importShipment(inHand, a)
	stopRenewing()

	// What happened is recorded even when the grace period is over by now.
	record, cancelRecord := context.WithTimeout(context.WithoutCancel(ctx), commandTimeout)
	defer cancelRecord()
	if err == nil {
		body, _ := json.Marshal(res) // a number and a string: it cannot fail
		log = log.With("imported", res.Imported)
		w.recorded(log, "job_completed", w.complete(record, e, body))
		return
	}
	_, refused := asRefusal(err)
	if inHand.Err() != nil && !refused {
		w.recorded(log, "job_given_back", w.giveBack(record, e))
		return
	}
	w.recorded(log.With("attempt", a.number, "reason", err.Error()), "job_failed", w.fail(record, e, err.Error()))
}

// recorded logs the event, or why Redis does not know of it.
func (w worker) recorded(log *slog.Logger, event string, err error) {
	switch {
	case errors.Is(err, errLockLost):
		log.Warn("lock_lost", "unrecorded", event)
	case err != nil:
		// The job stays in hand until its lock runs out; then it is taken over.
		log.Error("redis_unavailable", "unrecorded", event, "error", err.Error())
	default:
		log.Info(event)
	}
}

// importShipment is the work itself: check the job, read the file, apply it.
func (w worker) importShipment(ctx context.Context, a attempt) (result, error) {
	data, err := parseJob(a.name, a.data)
	if err != nil {
		return result{}, err
	}
	rows, err := loadShipment(w.dataDir, data.Dataset)
	if err != nil {
		return result{}, err
	}
	return apply(ctx, w.rdb, data.BatchID, rows)
}

// parseJob reads the data of a stored job.
//
// TODO 06.2 (lessons/06-worker.md#the-worker-checks-again): check the job again. So far
// anything passes. Refuse another name than jobName (code unknown_job), read the data as strictly as
// the producer reads a body (strictObject in contract.go), and check it.
func parseJob(name, raw string) (jobData, error) {
	var data jobData
	_ = json.Unmarshal([]byte(raw), &data)
	return data, nil
}

// keepLock renews the lock three times in its duration until the returned
// function is called. When the lock is lost it stops and does not stop the work:
// a command may be on its way already, so what protects the stock can only be
// the apply itself.
func (w worker) keepLock(ctx context.Context, e entry) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		for pause(ctx, w.lock/3) {
			if err := w.renew(ctx, e); errors.Is(err, errLockLost) {
				return
			}
		}
	})
	return func() { cancel(); renewing.Wait() }
}

// pause waits, and says whether it could wait to the end.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
