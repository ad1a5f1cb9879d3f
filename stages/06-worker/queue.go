package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"

	"github.com/redis/go-redis/v9"
)

//go:embed lua/*.lua
var luaFiles embed.FS

// Where the queue lives. The record of a job is the truth about it; the stream
// and the sorted sets only say whose turn it is.
const (
	streamKey    = keyPrefix + "jobs" // stream; its entries are the waiting and active jobs
	delayedKey   = keyPrefix + "delayed"
	completedKey = keyPrefix + "completed"
	failedKey    = keyPrefix + "failed"
	group        = "workers"
)

func recordKey(jobID string) string { return keyPrefix + "job:" + jobID }

var (
	enqueueScript = newScript("enqueue")
	putbackScript = newScript("putback")
	countsScript  = newScript("counts")
)

// The states of a job.
const (
	stateWaiting   = "waiting"
	stateActive    = "active"
	stateDelayed   = "delayed"
	stateCompleted = "completed"
	stateFailed    = "failed"
)

// job is what GET /api/imports/{jobId} shows of a record.
type job struct {
	ID       string          `json:"jobId"`
	State    string          `json:"state"`
	Attempts int             `json:"attempts"`
	Result   json.RawMessage `json:"result,omitempty"` // as the apply returned it
	Error    string          `json:"error,omitempty"`  // reason of the last failure
}

// queue is the producer's half: it stores jobs and looks at them.
type queue struct{ rdb *redis.Client }

// enqueue stores the job unless a record of its id is there, and tells which of
// the two it was; state is that of the record. An error does not mean that
// nothing was stored: the reply may be what got lost. Ask again with the same
// id, and the answer will be "known" if it was.
func (q queue) enqueue(ctx context.Context, id, name, data string) (isNew bool, state string, err error) {
	return stored(enqueueScript.run(ctx, q.rdb, []string{streamKey, recordKey(id)}, group, id, name, data))
}

// putBack lets a failed job be done again, with all of its attempts. Of a job in
// another state it changes nothing and tells the state; "" if there is no record.
func (q queue) putBack(ctx context.Context, id string) (done bool, state string, err error) {
	return stored(putbackScript.run(ctx, q.rdb, []string{streamKey, recordKey(id), failedKey}, id))
}

// stored reads the answer of the two scripts that put a job into the queue.
func stored(reply any, err error) (bool, string, error) {
	if err != nil {
		return false, "", err
	}
	answer := texts(reply)
	if len(answer) != 2 {
		return false, "", fmt.Errorf("store a job: unexpected answer %v", reply)
	}
	return answer[0] == "stored", answer[1], nil
}

// find returns the record of a job; ok is false if there is none.
func (q queue) find(ctx context.Context, id string) (found job, ok bool, err error) {
	record, err := q.rdb.HGetAll(ctx, recordKey(id)).Result()
	if err != nil {
		return job{}, false, fmt.Errorf("read job %s: %w", id, err)
	}
	if len(record) == 0 {
		return job{}, false, nil
	}
	found = job{ID: id, State: record["state"], Error: record["error"]}
	found.Attempts, _ = strconv.Atoi(record["attempts"])
	if record["result"] != "" {
		found.Result = json.RawMessage(record["result"])
	}
	return found, true, nil
}

// counts says how many records are kept in each state.
func (q queue) counts(ctx context.Context) (map[string]int64, error) {
	reply, err := countsScript.run(ctx, q.rdb, []string{streamKey, delayedKey, completedKey, failedKey}, group)
	if err != nil {
		return nil, err
	}
	numbers, _ := reply.([]any)
	states := []string{stateWaiting, stateActive, stateDelayed, stateCompleted, stateFailed}
	if len(numbers) != len(states) {
		return nil, fmt.Errorf("script counts: unexpected answer %v", reply)
	}
	counts := make(map[string]int64, len(states))
	for i, state := range states {
		counts[state], _ = numbers[i].(int64)
	}
	return counts, nil
}

// enqueueUnchecked is the other producer, the one that does not go through our
// HTTP route: what it stores has been checked by nobody.
func enqueueUnchecked(ctx context.Context, cfg config, log *slog.Logger, stdout io.Writer, id, data string) error {
	rdb := connect(cfg, commandTimeout, 1)
	defer rdb.Close()
	stored, state, err := queue{rdb}.enqueue(ctx, id, jobName, data)
	if err != nil {
		return fmt.Errorf("enqueue %s: %w", id, err)
	}
	logEnqueued(log, id, stored, state)
	return json.NewEncoder(stdout).Encode(map[string]any{"jobId": id, "stored": stored, "state": state})
}

func logEnqueued(log *slog.Logger, id string, stored bool, state string) {
	event := "job_known"
	if stored {
		event = "job_stored"
	}
	log.Info(event, "jobId", id, "state", state)
}
