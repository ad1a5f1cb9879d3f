package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/google/go-cmp/cmp"
)

// running is a worker at work in this process.
type running struct {
	log    logbook
	cancel context.CancelFunc
	done   chan error
}

// startWorker runs work with short waits; it is stopped with the test, and
// nothing of it may be left then.
func startWorker(t *testing.T, url string, more ...string) *running {
	t.Helper()
	cfg := configFor(t, url, append([]string{"IMPORTER_POLL_INTERVAL", "10ms", "IMPORTER_BACKOFF", "1ms"}, more...)...)
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{cancel: cancel, done: make(chan error, 1)}
	go func() { r.done <- work(ctx, cfg, r.log.logger()) }()
	t.Cleanup(func() { r.stop(t) })
	return r
}

// stop asks the worker to stop, as a signal does, and waits for it.
func (r *running) stop(t *testing.T) {
	t.Helper()
	if r.done == nil {
		return
	}
	r.cancel()
	if err := <-r.done; err != nil {
		t.Errorf("work: %v", err)
	}
	r.done = nil
	if strings.Contains(r.log.String(), "hunter2") {
		t.Errorf("the log shows the password: %s", r.log.String())
	}
}

func (s *store) waitFor(t *testing.T, id, state string) job {
	t.Helper()
	var found job
	eventually(t, id+" is "+state, func() bool {
		found = s.job(t, id)
		return found.State == state
	})
	return found
}

func (s *store) enqueueBatch(t *testing.T, batch string) string {
	t.Helper()
	id := "shipment-" + batch
	_, _, err := queue{s.client(t)}.enqueue(t.Context(), id, jobName, fmt.Sprintf(`{"contractVersion":1,"dataset":"shipment-a","batchId":%q}`, batch))
	must(t, err)
	return id
}

func (s *store) wantStock(t *testing.T, lamp, notebook, pencil int, generation string) {
	t.Helper()
	want := map[string]int{"lamp": lamp, "notebook": notebook, "pencil": pencil}
	if diff := cmp.Diff(want, s.stock(t)); diff != "" {
		t.Errorf("stock (-want +got)\n%s", diff)
	}
	if got := s.generation(t); got != generation {
		t.Errorf("generation %s, want %s", got, generation)
	}
}

// The whole way: a job is taken, applied and completed. After its record is
// gone the same arrival may come as a new job, which gets the first result.
func TestWork(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	w := startWorker(t, s.url)
	want := job{ID: "shipment-a", State: stateCompleted, Attempts: 1, Result: []byte(`{"imported":3,"batchId":"a"}`)}
	for _, step := range []struct {
		batch                  string
		lamp, notebook, pencil int
		generation             string
	}{{"a", 20, 8, 4, "1"}, {"a", 20, 8, 4, "1"}, {"b", 32, 13, 8, "2"}, {"a", 32, 13, 8, "2"}} {
		id := s.enqueueBatch(t, step.batch)
		got := s.waitFor(t, id, stateCompleted)
		want.ID, want.Result = id, fmt.Appendf(nil, `{"imported":3,"batchId":%q}`, step.batch)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		s.wantStock(t, step.lamp, step.notebook, step.pencil, step.generation)
		must(t, s.Del(t.Context(), recordKey(id)).Err())
	}
	w.stop(t)
	var got []string
	for _, line := range w.log.lines(t) {
		got = append(got, fmt.Sprint(line["event"], " ", line["jobId"], " ", line["attempt"]))
	}
	wantLog := []string{
		"job_taken shipment-a 1", "job_completed shipment-a <nil>",
		"job_taken shipment-a 1", "job_completed shipment-a <nil>",
		"job_taken shipment-b 1", "job_completed shipment-b <nil>",
		"job_taken shipment-a 1", "job_completed shipment-a <nil>",
	}
	if diff := cmp.Diff(wantLog, got); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
}

// What cannot be mended by repeating fails at once, with its name in the
// record, and touches nothing.
func TestWorkRefuses(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	stock := s.stock(t)
	w := startWorker(t, s.url)
	for name, data := range map[string]string{
		"unknown_contract_version": `{"contractVersion":2,"dataset":"shipment-a","batchId":"b1"}`,
		"invalid_dataset":          `{"contractVersion":1,"dataset":"../../etc/passwd","batchId":"b1"}`,
		"invalid_batch_id":         `{"contractVersion":1,"dataset":"shipment-a","batchId":"a:b"}`,
		"unknown_field":            `{"contractVersion":1,"dataset":"shipment-a","batchId":"b1","x":1}`,
		"invalid_json":             `not json`,
	} {
		id := "job-" + name
		must(t, enqueueUnchecked(t.Context(), s.config(t), (&logbook{}).logger(), &logbook{}, id, data))
		if got := s.waitFor(t, id, stateFailed); got.Attempts != 1 || !strings.HasPrefix(got.Error, name+": ") || got.Result != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	_, _, err := queue{s.client(t)}.enqueue(t.Context(), "job-other", "export-shipment", dataA)
	must(t, err)
	if got := s.waitFor(t, "job-other", stateFailed); got.Attempts != 1 || !strings.HasPrefix(got.Error, "unknown_job: ") {
		t.Errorf("other job: %+v", got)
	}
	w.stop(t)
	if events := w.log.events(t); slices.Contains(events, "job_retry") {
		t.Errorf("log %v", events)
	}
	if diff := cmp.Diff(stock, s.stock(t)); diff != "" {
		t.Errorf("stock (-before +after)\n%s", diff)
	}
}

// The refusals of the file and of the script fail the job as well.
func TestWorkRefusesTheShipment(t *testing.T) {
	for name, prepare := range map[string]func(*testing.T, *store, string){
		"bad_csv": func(t *testing.T, _ *store, dir string) {
			must(t, os.WriteFile(filepath.Join(dir, "shipment-a.csv"), []byte("sku,title,quantity\nlamp,Lamp,1\nlamp,Lamp,1\n"), 0o644))
		},
		"quantity_limit": func(t *testing.T, s *store, _ string) {
			must(t, s.HSet(t.Context(), productsKey, "pencil", `{"sku":"pencil","title":"Pencil","quantity":999999}`).Err())
		},
		"bad_generation": func(t *testing.T, s *store, _ string) { must(t, s.Set(t.Context(), generationKey, "x", 0).Err()) },
		"bad_mark":       func(t *testing.T, s *store, _ string) { must(t, s.Set(t.Context(), markKey("a1"), "true", 0).Err()) },
		"batch_conflict": func(t *testing.T, s *store, _ string) { s.apply(t, "a1", shipmentA[:1]) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			s.seed(t)
			dir := dataFolder(t)
			prepare(t, s, dir)
			stock, generation := s.stock(t), s.generation(t)
			startWorker(t, s.url, "IMPORTER_DATA_DIR", dir)
			s.enqueue(t, jobA)
			if got := s.waitFor(t, jobA, stateFailed); got.Attempts != 1 || !strings.HasPrefix(got.Error, name+": ") {
				t.Errorf("%+v", got)
			}
			if diff := cmp.Diff(stock, s.stock(t)); diff != "" || s.generation(t) != generation {
				t.Errorf("generation %s, stock (-before +after)\n%s", s.generation(t), diff)
			}
		})
	}
}

// A technical error is repeated in the open, until the attempts are used up.
func TestWorkGivesUp(t *testing.T) {
	s := newStore(t)
	dir := dataFolder(t)
	w := startWorker(t, s.url, "IMPORTER_DATA_DIR", dir, "IMPORTER_ATTEMPTS", "3")
	must(t, os.Remove(filepath.Join(dir, "shipment-a.csv")))
	s.enqueue(t, jobA)
	got := s.waitFor(t, jobA, stateFailed)
	if got.Attempts != 3 || !strings.HasPrefix(got.Error, "attempts_exhausted: attempt 3 of 3: open shipment: ") {
		t.Errorf("%+v", got)
	}
	w.stop(t)
	want := []string{"job_taken", "job_retry", "job_taken", "job_retry", "job_taken", "job_failed"}
	if diff := cmp.Diff(want, w.log.events(t)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
	retry := w.log.lines(t)[1]
	if _, err := time.ParseDuration(fmt.Sprint(retry["pause"])); err != nil || retry["attempt"] != 1.0 || !strings.HasPrefix(fmt.Sprint(retry["reason"]), "open shipment") {
		t.Errorf("job_retry says %v", retry)
	}
}

// The same, when time is over before the attempts are.
func TestWorkStopsAtTheDeadline(t *testing.T) {
	s := newStore(t)
	dir := dataFolder(t)
	startWorker(t, s.url, "IMPORTER_DATA_DIR", dir, "IMPORTER_ATTEMPTS", "100", "IMPORTER_BACKOFF", "20ms", "IMPORTER_DEADLINE", "100ms")
	must(t, os.Remove(filepath.Join(dir, "shipment-a.csv")))
	s.enqueue(t, jobA)
	if got := s.waitFor(t, jobA, stateFailed); got.Attempts >= 100 || !strings.HasPrefix(got.Error, "deadline_exceeded: ") {
		t.Errorf("%+v", got)
	}
}

// The script is executed and its reply is lost: the job's own policy makes one
// repeat, the client library makes none, and the stock is added to once.
func TestWorkWithALostReply(t *testing.T) {
	t.Parallel()
	for name, what := range map[string]fault{"connection breaks": dropReply, "silence": swallowReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newMiniStore(t)
			s.seed(t)
			s.load(t, applyScript)
			r := newRelay(t, s, once(applyScript, what))
			w := startWorker(t, r.url)
			id := s.enqueueBatch(t, "a")
			got := s.waitFor(t, id, stateCompleted)
			want := job{ID: id, State: stateCompleted, Attempts: 2, Result: []byte(`{"imported":3,"batchId":"a"}`)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			s.wantStock(t, 20, 8, 4, "1")
			if sha, source := r.calls(applyScript); sha != 2 || source != 0 {
				t.Errorf("the apply was sent %d times by digest and %d by source, want 2 and 0", sha, source)
			}
			w.stop(t)
			if diff := cmp.Diff([]string{"job_taken", "job_retry", "job_taken", "job_completed"}, w.log.events(t)); diff != "" {
				t.Errorf("log (-want +got)\n%s", diff)
			}
		})
	}
}

// The end of a job is executed and its reply is lost: nothing more happens to it.
func TestWorkWithALostReplyOfItsEnd(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	s.load(t, finishScript)
	r := newRelay(t, s, once(finishScript, dropReply))
	w := startWorker(t, r.url)
	a := s.enqueueBatch(t, "a")
	s.waitFor(t, a, stateCompleted)
	s.waitFor(t, s.enqueueBatch(t, "b"), stateCompleted)
	if got := s.job(t, a); got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
	s.wantStock(t, 32, 13, 8, "2")
	w.stop(t)
	want := []string{"job_taken", "redis_unavailable", "job_taken", "job_completed"}
	if diff := cmp.Diff(want, w.log.events(t)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
}

// A worker that waits stops at once and signs off, however long it would wait.
func TestStopWhileWaiting(t *testing.T) {
	s := newStore(t)
	must(t, s.delivery(t, "").join(t.Context()))
	waiting := func() int { return strings.Count(s.ClientList(t.Context()).Val(), "cmd=xreadgroup") }
	if s.mini != nil { // it does not tell what its clients do
		var reads atomic.Int32
		s.mini.Server().SetPreHook(func(_ *server.Peer, command string, _ ...string) bool {
			if command == "XREADGROUP" {
				reads.Add(1)
			}
			return false
		})
		waiting = func() int { return int(reads.Load()) }
	}
	w := startWorker(t, s.url, "IMPORTER_POLL_INTERVAL", "1h", "IMPORTER_CONCURRENCY", "3")
	eventually(t, "three wait", func() bool { return waiting() >= 3 })
	began := time.Now()
	w.stop(t)
	if took := time.Since(began); took >= time.Second {
		t.Errorf("stopping took %v, want less than 1s", took)
	}
	if names := s.consumers(t); len(names) != 0 {
		t.Errorf("consumers left: %v", names)
	}
	if text := w.log.String(); text != "" {
		t.Errorf("log %s", text)
	}
	eventually(t, "no goroutine of the worker is left", func() bool {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		return !strings.Contains(string(stacks), "main.worker.") && !strings.Contains(string(stacks), "go-redis")
	})
}

// heldApply is a relay that keeps each apply waiting until it is let go.
func heldApply(t *testing.T, s *store) (r *relay, reached, letGo chan struct{}) {
	t.Helper()
	reached, letGo = make(chan struct{}), make(chan struct{})
	var first sync.Once
	r = newRelay(t, s, func(command []string) fault {
		if isCall(command, applyScript) {
			first.Do(func() {
				close(reached)
				select {
				case <-letGo:
				case <-t.Context().Done(): // the test has failed
				}
			})
		}
		return pass
	})
	return r, reached, letGo
}

// The job in hand is finished, no other is taken, and the worker signs off.
func TestStopWithAJobInHand(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	s.load(t, applyScript)
	r, reached, letGo := heldApply(t, s)
	w := startWorker(t, r.url)
	a := s.enqueueBatch(t, "a")
	<-reached
	b := s.enqueueBatch(t, "b")
	w.cancel()
	select {
	case <-w.done:
		t.Fatal("the worker went away from the job in its hand")
	default:
	}
	close(letGo)
	w.stop(t)
	if got := s.job(t, a); got.State != stateCompleted || got.Attempts != 1 {
		t.Errorf("in hand: %+v", got)
	}
	if got := s.job(t, b); got.State != stateWaiting || got.Attempts != 0 {
		t.Errorf("waiting: %+v", got)
	}
	if names, pending := s.consumers(t), s.pending(t); len(names) != 0 || len(pending) != 0 {
		t.Errorf("consumers %v, pending %v; want none", names, pending)
	}
	s.wantStock(t, 20, 8, 4, "1")
}

// While a worker is held up another one takes its job over and does it. What
// the first one does then changes neither stock nor record.
func TestLockLostInMidJob(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	s.load(t, applyScript)
	r, reached, letGo := heldApply(t, s)
	first := startWorker(t, r.url, "IMPORTER_LOCK_DURATION", "1h")
	id := s.enqueueBatch(t, "a")
	<-reached
	s.pass(t, time.Hour)
	second := startWorker(t, s.url, "IMPORTER_LOCK_DURATION", "1h")
	done := s.waitFor(t, id, stateCompleted)
	close(letGo)
	eventually(t, "the first finds its lock lost", func() bool { return slices.Contains(first.log.events(t), "lock_lost") })
	if diff := cmp.Diff(done, s.job(t, id)); diff != "" || done.Attempts != 2 {
		t.Errorf("attempts %d (-before +after)\n%s", done.Attempts, diff)
	}
	s.wantStock(t, 20, 8, 4, "1")
	first.stop(t)
	second.stop(t)
	if diff := cmp.Diff([]string{"job_taken", "lock_lost"}, first.log.events(t)); diff != "" {
		t.Errorf("first (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"job_taken_over", "job_completed"}, second.log.events(t)); diff != "" {
		t.Errorf("second (-want +got)\n%s", diff)
	}
}

// A job that takes longer than its lock stays with its worker, which renews.
func TestLongJobKeepsItsLock(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	s.load(t, applyScript, renewScript)
	r, reached, letGo := heldApply(t, s)
	first := startWorker(t, r.url, "IMPORTER_LOCK_DURATION", "1500ms")
	id := s.enqueueBatch(t, "a")
	<-reached
	second := startWorker(t, s.url, "IMPORTER_LOCK_DURATION", "1500ms")
	eventually(t, "four renewals, more than the lock lasts", func() bool {
		sha, source := r.calls(renewScript)
		return sha+source >= 4
	})
	close(letGo)
	if got := s.waitFor(t, id, stateCompleted); got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
	first.stop(t)
	second.stop(t)
	if text := second.log.String(); text != "" {
		t.Errorf("second: %s", text)
	}
}

// What a dead worker held is done by another, and its attempts are bounded.
func TestWorkTakesOver(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	a, b := s.enqueueBatch(t, "a"), s.enqueueBatch(t, "b")
	dead := s.delivery(t, "dead")
	dead.take(t)
	dead.take(t)
	must(t, s.HSet(t.Context(), recordKey(b), "attempts", 5).Err()) // it has killed five workers
	s.pass(t, lock)
	w := startWorker(t, s.url)
	if got := s.waitFor(t, a, stateCompleted); got.Attempts != 2 {
		t.Errorf("%+v", got)
	}
	if got := s.waitFor(t, b, stateFailed); !strings.HasPrefix(got.Error, "attempts_exhausted: 5 attempts were begun") {
		t.Errorf("%+v", got)
	}
	s.wantStock(t, 20, 8, 4, "1")
	w.stop(t)
	want := []string{"job_taken_over", "job_completed", "job_taken_over", "job_failed"}
	if diff := cmp.Diff(want, w.log.events(t)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
}

// A job whose record was removed while it waited is dropped.
func TestWorkDropsAJobWithoutRecord(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	must(t, s.Del(t.Context(), recordKey(s.enqueueBatch(t, "a"))).Err())
	b := s.enqueueBatch(t, "b")
	w := startWorker(t, s.url)
	s.waitFor(t, b, stateCompleted)
	s.wantStock(t, 20, 8, 4, "1")
	w.stop(t)
	if diff := cmp.Diff([]string{"job_gone", "job_taken", "job_completed"}, w.log.events(t)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
}

// Many jobs, several hands, two workers: each arrival is added once.
func TestManyJobs(t *testing.T) {
	s := newStore(t)
	s.seed(t)
	var ids []string
	for i := range 20 {
		ids = append(ids, s.enqueueBatch(t, fmt.Sprint("b", i)))
	}
	one := startWorker(t, s.url, "IMPORTER_CONCURRENCY", "4")
	two := startWorker(t, s.url, "IMPORTER_CONCURRENCY", "2")
	for _, id := range ids {
		if got := s.waitFor(t, id, stateCompleted); got.Attempts != 1 {
			t.Errorf("%+v", got)
		}
	}
	s.wantStock(t, 8+20*12, 3+20*5, 20*4, "20")
	one.stop(t)
	two.stop(t)
	if names := s.consumers(t); len(names) != 0 {
		t.Errorf("consumers left: %v", names)
	}
}

// Redis goes away and comes back: the worker goes on, and its log has one line
// of each outage and not one of each try.
func TestRedisAwayFromTheWorker(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	var away atomic.Bool
	var tries atomic.Int32
	r := newRelay(t, s, func([]string) fault {
		if !away.Load() {
			return pass
		}
		tries.Add(1)
		return breakOff
	})
	w := startWorker(t, r.url)
	completed := func(n int) {
		t.Helper()
		eventually(t, "the completion is logged", func() bool {
			return strings.Count(w.log.String(), "job_completed") == n
		})
	}
	s.enqueueBatch(t, "a")
	completed(1)
	for range 2 {
		away.Store(true)
		tries.Store(0)
		eventually(t, "the worker tries several times", func() bool { return tries.Load() >= 5 })
		away.Store(false)
		s.enqueueBatch(t, fmt.Sprint("b", strings.Count(w.log.String(), "job_completed")))
		completed(strings.Count(w.log.String(), "job_completed") + 1)
	}
	s.wantStock(t, 44, 18, 12, "3")
	w.stop(t)
	want := []string{"job_taken", "job_completed", "redis_unavailable", "job_taken", "job_completed", "redis_unavailable", "job_taken", "job_completed"}
	if diff := cmp.Diff(want, w.log.events(t)); diff != "" {
		t.Errorf("log (-want +got)\n%s", diff)
	}
}

// A worker that never reaches Redis is stopped in bounded time all the same.
func TestStopWithoutRedis(t *testing.T) {
	t.Parallel()
	for name, trouble := range map[string]func(*testing.T) string{
		"nobody listens": noRedis,
		"loading":        func(t *testing.T) string { return fakeRedis(t, "-LOADING Redis is loading the dataset in memory") },
		"wrong password": func(t *testing.T) string {
			s := newMiniStore(t)
			s.mini.RequireUserAuth("user", "another")
			return s.mini.Addr()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWorker(t, "redis://user:hunter2@"+trouble(t)+"/0")
			eventually(t, "the outage is logged", func() bool { return w.log.String() != "" })
			began := time.Now()
			w.stop(t)
			if took := time.Since(began); took >= 2*time.Second {
				t.Errorf("stopping took %v", took)
			}
			for _, event := range w.log.events(t) {
				if event != "redis_unavailable" {
					t.Errorf("log %s", w.log.String())
				}
			}
		})
	}
}

// Everything is deleted under a waiting worker, its group too.
func TestDatabaseEmptiedUnderTheWorker(t *testing.T) {
	s := newStore(t)
	startWorker(t, s.url)
	s.waitFor(t, s.enqueueBatch(t, "a"), stateCompleted)
	must(t, s.FlushDB(t.Context()).Err())
	s.waitFor(t, s.enqueueBatch(t, "a"), stateCompleted)
	s.wantFirstStock(t)
}

func (s *store) wantFirstStock(t *testing.T) {
	t.Helper()
	s.wantStock(t, 12, 5, 4, "1")
}
