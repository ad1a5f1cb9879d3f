package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

const jobA, dataA = "shipment-a1", `{"contractVersion":1,"dataset":"shipment-a","batchId":"a1"}`

func (s *store) enqueue(t *testing.T, id string) {
	t.Helper()
	stored, state, err := queue{s.client(t)}.enqueue(t.Context(), id, jobName, dataA)
	must(t, err)
	if !stored || state != stateWaiting {
		t.Fatalf("enqueue %s: stored %v, state %q", id, stored, state)
	}
}

func (s *store) job(t *testing.T, id string) job {
	t.Helper()
	found, ok, err := queue{s.client(t)}.find(t.Context(), id)
	must(t, err)
	if !ok {
		t.Fatalf("there is no job %s", id)
	}
	return found
}

// A new job is a record and an entry, and the group that workers read through
// comes with the first of them. A repeat changes nothing.
func TestEnqueue(t *testing.T) {
	s := newStore(t)
	before := time.Now().Add(-time.Second).UnixMilli()
	s.enqueue(t, jobA)

	record := s.HGetAll(t.Context(), recordKey(jobA)).Val()
	var enqueued int64
	must(t, json.Unmarshal([]byte(record["enqueued"]), &enqueued))
	if enqueued < before || enqueued > time.Now().Add(time.Second).UnixMilli() {
		t.Errorf("enqueued at %s", record["enqueued"])
	}
	delete(record, "enqueued")
	want := map[string]string{"name": jobName, "data": dataA, "state": "waiting", "attempts": "0"}
	if diff := cmp.Diff(want, record); diff != "" {
		t.Errorf("record (-want +got)\n%s", diff)
	}
	if n := s.XLen(t.Context(), streamKey).Val(); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
	groups, err := s.XInfoGroups(t.Context(), streamKey).Result()
	must(t, err)
	if len(groups) != 1 || groups[0].Name != group {
		t.Errorf("groups: %+v", groups)
	}

	held := s.dump(t)
	stored, state, err := queue{s.client(t)}.enqueue(t.Context(), jobA, "other-name", "other data")
	must(t, err)
	if stored || state != stateWaiting {
		t.Errorf("repeat: stored %v, state %q; want known and waiting", stored, state)
	}
	if diff := s.changes(held, s.dump(t)); diff != "" {
		t.Errorf("a repeat wrote something (-before +after)\n%s", diff)
	}
	for key := range held {
		if len(key) <= len(keyPrefix) || key[:len(keyPrefix)] != keyPrefix {
			t.Errorf("key %q does not begin %q", key, keyPrefix)
		}
	}
}

// The repeat is told the state of the record, and the id is free again when
// the record is gone.
func TestEnqueueKnownInEachState(t *testing.T) {
	for _, state := range []string{stateWaiting, stateActive, stateDelayed, stateCompleted, stateFailed} {
		t.Run(state, func(t *testing.T) {
			s := newStore(t)
			s.enqueue(t, jobA)
			s.bring(t, jobA, state)
			before := s.dump(t)
			stored, got, err := queue{s.client(t)}.enqueue(t.Context(), jobA, jobName, dataA)
			must(t, err)
			if stored || got != state {
				t.Errorf("stored %v, state %q; want known and %q", stored, got, state)
			}
			if diff := s.changes(before, s.dump(t)); diff != "" {
				t.Errorf("(-before +after)\n%s", diff)
			}
			must(t, s.Del(t.Context(), recordKey(jobA)).Err())
			s.enqueue(t, jobA)
			if got, want := s.job(t, jobA), (job{ID: jobA, State: stateWaiting}); !cmp.Equal(want, got) {
				t.Errorf("stored anew: %+v", got)
			}
		})
	}
}

// bring puts the job, which must be the only one that waits, into a state, as a
// worker would leave it there.
func (s *store) bring(t *testing.T, id, state string) {
	t.Helper()
	if state == stateWaiting {
		return
	}
	ctx := t.Context()
	taken, err := s.XReadGroup(ctx, &redis.XReadGroupArgs{Group: group, Consumer: "bringer", Streams: []string{streamKey, ">"}, Count: 1, Block: -1}).Result()
	must(t, err)
	entry := taken[0].Messages[0]
	if entry.Values["job"] != id {
		t.Fatalf("took %v, want %s", entry.Values, id)
	}
	must(t, s.HSet(ctx, recordKey(id), "state", state, "attempts", 1).Err())
	if state == stateActive {
		return
	}
	must(t, s.XAck(ctx, streamKey, group, entry.ID).Err())
	must(t, s.XDel(ctx, streamKey, entry.ID).Err())
	ends := redis.Z{Score: float64(time.Now().Add(time.Hour).UnixMilli()), Member: id}
	switch state {
	case stateDelayed:
		must(t, s.HSet(ctx, recordKey(id), "error", "later").Err())
		must(t, s.ZAdd(ctx, delayedKey, ends).Err())
	case stateCompleted:
		must(t, s.HSet(ctx, recordKey(id), "result", `{"imported":3,"batchId":"a1"}`).Err())
		must(t, s.ZAdd(ctx, completedKey, ends).Err())
		must(t, s.Expire(ctx, recordKey(id), time.Hour).Err())
	case stateFailed:
		must(t, s.HSet(ctx, recordKey(id), "error", "bad_csv: x").Err())
		must(t, s.ZAdd(ctx, failedKey, ends).Err())
		must(t, s.Expire(ctx, recordKey(id), time.Hour).Err())
	}
}

// Only a job that has failed is put back, and then nothing is left of its failure.
func TestPutBack(t *testing.T) {
	for _, state := range []string{stateWaiting, stateActive, stateDelayed, stateCompleted, "unknown"} {
		s := newStore(t)
		if state != "unknown" {
			s.enqueue(t, jobA)
			s.bring(t, jobA, state)
		}
		before := s.dump(t)
		done, got, err := queue{s.client(t)}.putBack(t.Context(), jobA)
		must(t, err)
		if want := strings.TrimSuffix(state, "unknown"); done || got != want {
			t.Errorf("%s: put back %v, state %q", state, done, got)
		}
		if diff := s.changes(before, s.dump(t)); diff != "" {
			t.Errorf("%s (-before +after)\n%s", state, diff)
		}
	}

	s := newStore(t)
	s.enqueue(t, jobA)
	s.bring(t, jobA, stateFailed)
	done, state, err := queue{s.client(t)}.putBack(t.Context(), jobA)
	must(t, err)
	if !done || state != stateWaiting {
		t.Errorf("put back %v, state %q", done, state)
	}
	if diff := cmp.Diff(job{ID: jobA, State: stateWaiting}, s.job(t, jobA)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if ttl := s.PTTL(t.Context(), recordKey(jobA)).Val(); ttl >= 0 {
		t.Errorf("the record still ends in %v", ttl)
	}
	counts, err := queue{s.client(t)}.counts(t.Context())
	must(t, err)
	if diff := cmp.Diff(map[string]int64{"waiting": 1, "active": 0, "delayed": 0, "completed": 0, "failed": 0}, counts); diff != "" {
		t.Errorf("counts (-want +got)\n%s", diff)
	}
}

func TestFind(t *testing.T) {
	s := newStore(t)
	if _, ok, err := (queue{s.client(t)}).find(t.Context(), "shipment-unknown"); ok || err != nil {
		t.Errorf("unknown job: found %v, %v", ok, err)
	}
	want := map[string]job{
		stateWaiting:   {State: "waiting"},
		stateActive:    {State: "active", Attempts: 1},
		stateDelayed:   {State: "delayed", Attempts: 1, Error: "later"},
		stateCompleted: {State: "completed", Attempts: 1, Result: json.RawMessage(`{"imported":3,"batchId":"a1"}`)},
		stateFailed:    {State: "failed", Attempts: 1, Error: "bad_csv: x"},
	}
	for state, w := range want {
		id := "job-" + state
		w.ID = id
		s := newStore(t)
		s.enqueue(t, id)
		s.bring(t, id, state)
		if diff := cmp.Diff(w, s.job(t, id)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", state, diff)
		}
	}
}

func TestCounts(t *testing.T) {
	s := newStore(t)
	wantCounts := func(what string, waiting, active, delayed, completed, failed int64) {
		t.Helper()
		got, err := queue{s.client(t)}.counts(t.Context())
		must(t, err)
		want := map[string]int64{"waiting": waiting, "active": active, "delayed": delayed, "completed": completed, "failed": failed}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	wantCounts("nothing yet", 0, 0, 0, 0, 0)
	for _, state := range []string{stateDelayed, stateCompleted, stateFailed, stateActive} {
		s.enqueue(t, "job-"+state)
		s.bring(t, "job-"+state, state)
	}
	s.enqueue(t, "job-waiting-1")
	s.enqueue(t, "job-waiting-2")
	before := s.dump(t)
	wantCounts("one of each, two waiting", 2, 1, 1, 1, 1)
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("counting wrote something (-before +after)\n%s", diff)
	}
	s.pass(t, time.Hour) // the retention
	wantCounts("after the retention", 2, 1, 1, 0, 0)
}

// The other producer stores what it is given, as it is given.
func TestEnqueueUnchecked(t *testing.T) {
	s := newStore(t)
	const data = `{"contractVersion":99, "dataset":"../x"} not even JSON`
	var out bytes.Buffer
	var log logbook
	for range 2 {
		must(t, enqueueUnchecked(t.Context(), s.config(t), log.logger(), &out, "any:id", data))
	}
	wantOut := `{"jobId":"any:id","state":"waiting","stored":true}` + "\n" + `{"jobId":"any:id","state":"waiting","stored":false}` + "\n"
	if diff := cmp.Diff(wantOut, out.String()); diff != "" {
		t.Errorf("output (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"job_stored", "job_known"}, log.events(t)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
	record := s.HGetAll(t.Context(), recordKey("any:id")).Val()
	if record["data"] != data || record["name"] != jobName {
		t.Errorf("record %v", record)
	}
	if n := s.XLen(t.Context(), streamKey).Val(); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}
