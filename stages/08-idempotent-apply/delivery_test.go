package main

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

const lock = 30 * time.Second

// delivery is a worker's half of the queue under a name.
func (s *store) delivery(t *testing.T, name string) delivery {
	t.Helper()
	return delivery{rdb: s.client(t), blocking: s.client(t), consumer: name, lock: lock, keep: time.Hour}
}

// take takes the next job and starts it.
func (d delivery) take(t *testing.T) attempt {
	t.Helper()
	e, ok, err := d.next(t.Context(), time.Millisecond)
	must(t, err)
	if !ok {
		t.Fatal("there is no job to take")
	}
	return d.begin(t, e)
}

func (d delivery) begin(t *testing.T, e entry) attempt {
	t.Helper()
	a, ok, err := d.start(t.Context(), e)
	must(t, err)
	if !ok {
		t.Fatalf("job %s could not be started", e.jobID)
	}
	return a
}

func TestTakeAndComplete(t *testing.T) {
	s := newStore(t)
	d := s.delivery(t, "first")
	if _, ok, err := d.next(t.Context(), time.Millisecond); ok || err != nil {
		t.Fatalf("empty queue: %v, %v", ok, err) // makes the group
	}
	if _, ok, err := d.next(t.Context(), time.Millisecond); ok || err != nil {
		t.Fatalf("empty queue: %v, %v", ok, err)
	}
	s.enqueue(t, jobA)
	s.pass(t, 90*time.Second)
	a := d.take(t)
	if a.jobID != jobA || a.name != jobName || a.data != dataA || a.number != 1 || a.takenOver || a.age < 90*time.Second || a.age > 100*time.Second {
		t.Errorf("took %+v", a)
	}
	if got := s.job(t, jobA); got.State != stateActive || got.Attempts != 1 {
		t.Errorf("taken: %+v", got)
	}
	if _, ok, err := d.next(t.Context(), time.Millisecond); ok || err != nil {
		t.Errorf("a second one: %v, %v", ok, err)
	}
	must(t, d.complete(t.Context(), a.entry, []byte(`{"imported":3}`)))
	if got := s.job(t, jobA); got.State != stateCompleted || string(got.Result) != `{"imported":3}` || got.Error != "" {
		t.Errorf("completed: %+v", got)
	}
	if n, p := s.XLen(t.Context(), streamKey).Val(), s.pending(t); n != 0 || len(p) != 0 {
		t.Errorf("%d entries, pending %v; want none", n, p)
	}
}

// A job that failed before and then is done has no error any more.
func TestCompleteForgetsAnEarlierError(t *testing.T) {
	s := newStore(t)
	d := s.delivery(t, "first")
	s.enqueue(t, jobA)
	must(t, d.retry(t.Context(), d.take(t).entry, 0, "Redis was away"))
	must(t, d.promote(t.Context()))
	a := d.take(t)
	if a.number != 2 {
		t.Errorf("attempt %d, want 2", a.number)
	}
	must(t, d.complete(t.Context(), a.entry, []byte(`{}`)))
	if got := s.job(t, jobA); got.Error != "" || got.Attempts != 2 {
		t.Errorf("%+v", got)
	}
}

func TestRetention(t *testing.T) {
	for _, end := range []string{stateCompleted, stateFailed} {
		for _, keep := range []time.Duration{0, time.Millisecond * 1500, time.Hour} {
			t.Run(fmt.Sprint(end, " ", keep), func(t *testing.T) {
				s := newStore(t)
				d := s.delivery(t, "first")
				d.keep = keep
				s.enqueue(t, jobA)
				a := d.take(t)
				if end == stateCompleted {
					must(t, d.complete(t.Context(), a.entry, []byte(`{}`)))
				} else {
					must(t, d.fail(t.Context(), a.entry, "why"))
				}
				left := s.PTTL(t.Context(), recordKey(jobA)).Val()
				if keep == 0 {
					if s.Exists(t.Context(), recordKey(jobA)).Val() != 0 {
						t.Error("the record is still there")
					}
				} else if left <= keep-time.Second || left > keep {
					t.Errorf("the record is kept for %v, want %v", left, keep)
				}
				s.pass(t, keep)
				counts, err := queue{s.client(t)}.counts(t.Context())
				must(t, err)
				if counts[end] != 0 {
					t.Errorf("counts %v after the retention", counts)
				}
				s.enqueue(t, jobA) // the id is free again
			})
		}
	}
}

// What sorted sets remember of finished jobs is swept out in time.
func TestFinishedSetsDoNotGrow(t *testing.T) {
	s := newStore(t)
	d := s.delivery(t, "first")
	for i := range 5 {
		s.enqueue(t, fmt.Sprint("job-", i))
		must(t, d.complete(t.Context(), d.take(t).entry, []byte(`{}`)))
		s.pass(t, time.Hour)
	}
	if n := s.ZCard(t.Context(), completedKey).Val(); n > 1 {
		t.Errorf("%d members of finished jobs, want 1 at most", n)
	}
}

// Once another worker has the job, nothing that the first one still does has
// any effect.
func TestOnlyTheOwnerActs(t *testing.T) {
	ctx := context.Background()
	steps := map[string]func(delivery, entry) error{
		"renew":    func(d delivery, e entry) error { return d.renew(ctx, e) },
		"complete": func(d delivery, e entry) error { return d.complete(ctx, e, []byte(`{"imported":1}`)) },
		"fail":     func(d delivery, e entry) error { return d.fail(ctx, e, "why") },
		"retry":    func(d delivery, e entry) error { return d.retry(ctx, e, time.Second, "why") },
		"giveBack": func(d delivery, e entry) error { return d.giveBack(ctx, e) },
		"start": func(d delivery, e entry) error {
			if _, ok, err := d.start(ctx, e); ok || err != nil {
				return fmt.Errorf("started %v, %w", ok, err)
			}
			return errLockLost
		},
	}
	second := map[string]func(*testing.T, *store, entry){
		"another worker has it": func(*testing.T, *store, entry) {},
		"another worker completed it": func(t *testing.T, s *store, e entry) {
			must(t, s.delivery(t, "second").complete(ctx, e, []byte(`{"imported":3}`)))
		},
		"another worker failed it": func(t *testing.T, s *store, e entry) { must(t, s.delivery(t, "second").fail(ctx, e, "bad_csv")) },
		"another worker retries it": func(t *testing.T, s *store, e entry) {
			must(t, s.delivery(t, "second").retry(ctx, e, time.Hour, "later"))
		},
		"another worker gave it back": func(t *testing.T, s *store, e entry) { must(t, s.delivery(t, "second").giveBack(ctx, e)) },
		"a third worker took it over": func(t *testing.T, s *store, _ entry) {
			s.pass(t, lock)
			if _, ok, err := s.delivery(t, "third").takeOver(ctx); !ok || err != nil {
				t.Fatal(ok, err)
			}
		},
		"its record was removed": func(t *testing.T, s *store, _ entry) { must(t, s.Del(ctx, recordKey(jobA)).Err()) },
	}
	for situation, prepare := range second {
		t.Run(situation, func(t *testing.T) {
			s := newStore(t)
			first, other := s.delivery(t, "first"), s.delivery(t, "second")
			s.enqueue(t, jobA)
			lost := first.take(t).entry
			s.pass(t, lock)
			taken, ok, err := other.takeOver(ctx)
			if !ok || err != nil || !taken.takenOver || taken.jobID != jobA {
				t.Fatalf("take over: %+v, %v, %v", taken, ok, err)
			}
			if a := other.begin(t, taken); a.number != 2 {
				t.Errorf("attempt %d, want 2", a.number)
			}
			s.pass(t, lock/2)
			prepare(t, s, taken)
			before := s.dump(t)
			for name, step := range steps {
				if err := step(first, lost); !errors.Is(err, errLockLost) {
					t.Errorf("%s: %v, want errLockLost", name, err)
				}
				if diff := s.changes(before, s.dump(t)); diff != "" {
					t.Errorf("%s changed something (-before +after)\n%s", name, diff)
				}
			}
			if p := s.pending(t); situation == "another worker has it" && (len(p) != 1 || p[0].Idle < lock/2) {
				t.Errorf("the lock of the other worker was renewed by the first: %v", p)
			}
		})
	}
}

// The owner goes on after the record was removed under its hands; no step
// brings a record back, and the entry goes.
func TestRemovedRecordStaysRemoved(t *testing.T) {
	ctx := context.Background()
	steps := map[string]func(delivery, entry) error{
		"complete": func(d delivery, e entry) error { return d.complete(ctx, e, []byte(`{}`)) },
		"fail":     func(d delivery, e entry) error { return d.fail(ctx, e, "why") },
		"retry":    func(d delivery, e entry) error { return d.retry(ctx, e, 0, "why") },
		"giveBack": func(d delivery, e entry) error { return d.giveBack(ctx, e) },
		"start": func(d delivery, e entry) error {
			_, ok, err := d.start(ctx, e)
			if ok {
				return errors.New("started")
			}
			return err
		},
	}
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			d := s.delivery(t, "first")
			s.enqueue(t, jobA)
			e := d.take(t).entry
			must(t, s.Del(ctx, recordKey(jobA)).Err())
			must(t, d.renew(ctx, e))
			must(t, step(d, e))
			must(t, d.promote(ctx))
			for key := range s.dump(t) {
				if key != streamKey {
					t.Errorf("key %q is there", key)
				}
			}
			if n, p := s.XLen(ctx, streamKey).Val(), s.pending(t); n != 0 || len(p) != 0 {
				t.Errorf("%d entries, pending %v; want none", n, p)
			}
		})
	}
}

func TestRenewKeepsTheLock(t *testing.T) {
	s := newStore(t)
	first, second := s.delivery(t, "first"), s.delivery(t, "second")
	s.enqueue(t, jobA)
	a := first.take(t)
	for range 3 {
		s.pass(t, lock-time.Second)
		must(t, first.renew(t.Context(), a.entry))
		if _, ok, err := second.takeOver(t.Context()); ok || err != nil {
			t.Fatalf("taken over although renewed: %v, %v", ok, err)
		}
	}
	if got := s.job(t, jobA); got.Attempts != 1 {
		t.Errorf("%d attempts after renewals, want 1", got.Attempts)
	}
	s.pass(t, lock)
	if _, ok, err := second.takeOver(t.Context()); !ok || err != nil {
		t.Errorf("not taken over although stalled: %v, %v", ok, err)
	}
}

// One look of Redis at stalled jobs goes past a few entries only. Behind many
// jobs in good hands the stalled ones must be found all the same, each once.
func TestTakeOverPassesActiveJobs(t *testing.T) {
	s := newStore(t)
	busy, dead, heir := s.delivery(t, "busy"), s.delivery(t, "dead"), s.delivery(t, "heir")
	if _, ok, err := heir.takeOver(t.Context()); ok || err != nil {
		t.Fatalf("no group yet: %v, %v", ok, err)
	}
	var active []entry
	for i := range 90 {
		s.enqueue(t, fmt.Sprint("job-", i))
		owner := busy
		if i == 50 || i == 89 {
			owner = dead
		}
		if a := owner.take(t); owner.consumer == "busy" {
			active = append(active, a.entry)
		}
	}
	s.pass(t, lock)
	for _, e := range active {
		must(t, busy.renew(t.Context(), e))
	}
	for _, want := range []string{"job-50", "job-89", ""} {
		e, ok, err := heir.takeOver(t.Context())
		must(t, err)
		if e.jobID != want || ok != (want != "") {
			t.Errorf("took over %q (%v), want %q", e.jobID, ok, want)
		}
	}
}

// Whoever dies without a word: its job is taken over and done by another.
func TestTakenOverJobIsCompleted(t *testing.T) {
	s := newStore(t)
	s.enqueue(t, jobA)
	s.delivery(t, "dead").take(t)
	heir := s.delivery(t, "heir")
	if _, ok, _ := heir.takeOver(t.Context()); ok {
		t.Fatal("taken over before the lock ran out")
	}
	s.pass(t, lock)
	e, _, err := heir.takeOver(t.Context())
	must(t, err)
	heir.begin(t, e)
	must(t, heir.complete(t.Context(), e, []byte(`{}`)))
	if got := s.job(t, jobA); got.State != stateCompleted || got.Attempts != 2 {
		t.Errorf("%+v", got)
	}
}

func TestGiveBack(t *testing.T) {
	s := newStore(t)
	first, second := s.delivery(t, "first"), s.delivery(t, "second")
	s.enqueue(t, jobA)
	must(t, first.giveBack(t.Context(), first.take(t).entry))
	if got := s.job(t, jobA); got.State != stateWaiting {
		t.Errorf("%+v", got)
	}
	if a := second.take(t); a.jobID != jobA || a.number != 2 {
		t.Errorf("took %+v", a)
	}
}

// A worker that leaves gives back what it holds, started or not, and signs off.
// What others hold stays theirs.
func TestLeave(t *testing.T) {
	s := newStore(t)
	first, other := s.delivery(t, "first"), s.delivery(t, "other")
	must(t, first.leave(t.Context())) // no stream, no group yet
	for _, id := range []string{"job-others", "job-started", "job-taken", "job-gone"} {
		s.enqueue(t, id)
	}
	other.take(t)
	first.take(t)
	for range 2 {
		if _, ok, err := first.next(t.Context(), time.Millisecond); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	must(t, s.Del(t.Context(), recordKey("job-gone")).Err())
	must(t, first.leave(t.Context()))
	if diff := cmp.Diff([]string{"other"}, s.consumers(t)); diff != "" {
		t.Errorf("consumers (-want +got)\n%s", diff)
	}
	var waiting []string
	for {
		e, ok, err := other.next(t.Context(), time.Millisecond)
		must(t, err)
		if !ok {
			break
		}
		waiting = append(waiting, e.jobID)
	}
	if diff := cmp.Diff([]string{"job-started", "job-taken"}, waiting); diff != "" {
		t.Errorf("given back (-want +got)\n%s", diff)
	}
	if s.Exists(t.Context(), recordKey("job-gone")).Val() != 0 {
		t.Error("the removed record is back")
	}
	must(t, first.leave(t.Context())) // a second time does no harm
}

// Signing off forgets what the consumer holds, so one that holds something
// must not be signed off.
func TestLeaveScriptKeepsWhoHoldsSomething(t *testing.T) {
	s := newStore(t)
	first := s.delivery(t, "first")
	s.enqueue(t, jobA)
	first.take(t)
	before := s.dump(t)
	reply, err := leaveScript.run(t.Context(), s, []string{streamKey}, group, "first")
	must(t, err)
	if reply != int64(0) {
		t.Errorf("answer %v, want 0", reply)
	}
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// Workers that were killed leave their names; those with a job in hand must stay
// until it has been taken over.
func TestDeadWorkersAreForgotten(t *testing.T) {
	s := newStore(t)
	holding, fresh := s.delivery(t, "holding"), s.delivery(t, "fresh")
	must(t, fresh.forgetDead(t.Context(), 0)) // nobody has worked here yet
	s.enqueue(t, jobA)
	holding.take(t)
	must(t, s.XGroupCreateConsumer(t.Context(), streamKey, group, "killed").Err())
	must(t, fresh.forgetDead(t.Context(), time.Hour))
	if diff := cmp.Diff([]string{"holding", "killed"}, s.consumers(t)); diff != "" {
		t.Errorf("consumers after an hour was asked for (-want +got)\n%s", diff)
	}
	must(t, fresh.forgetDead(t.Context(), -time.Millisecond) /* miniredis says -1 of one that never asked */)
	if diff := cmp.Diff([]string{"holding"}, s.consumers(t)); diff != "" {
		t.Errorf("consumers (-want +got)\n%s", diff)
	}
}

// Removed and stored anew while its old entry is still in a sleeper's hands:
// the new job runs, and the sleeper's end changes nothing of it.
func TestStoredAnewBesideASleeper(t *testing.T) {
	s := newStore(t)
	sleeper, other := s.delivery(t, "sleeper"), s.delivery(t, "other")
	s.enqueue(t, jobA)
	old := sleeper.take(t).entry
	must(t, s.Del(t.Context(), recordKey(jobA)).Err())
	s.enqueue(t, jobA)
	a := other.take(t)
	if a.number != 1 || a.entry.id == old.id {
		t.Errorf("took %+v", a)
	}
	must(t, other.complete(t.Context(), a.entry, []byte(`{}`)))
	if got := s.job(t, jobA); got.State != stateCompleted {
		t.Errorf("%+v", got)
	}
}

func TestConsumerNamesAreFresh(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		name := newConsumerName()
		if seen[name] {
			t.Fatalf("%q came twice", name)
		}
		seen[name] = true
	}
}

// Short of memory, a script either does all of its writing or none of it. Only
// a real server can be short of memory.
func TestOutOfMemory(t *testing.T) {
	s := newStore(t)
	if s.mini != nil {
		t.Skip("needs a real server: " + realRedis)
	}
	ctx := t.Context()
	s.seed(t)
	d := s.delivery(t, "first")
	for _, id := range []string{"job-complete", "job-fail", "job-retry", "job-giveback", "job-delayed", "job-waiting"} {
		s.enqueue(t, id)
	}
	held := map[string]entry{}
	for range 5 {
		e := d.take(t).entry
		held[e.jobID] = e
	}
	must(t, d.retry(ctx, held["job-delayed"], 0, "why"))
	waiting, ok, err := d.next(ctx, time.Millisecond)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	must(t, s.ConfigSet(ctx, "maxmemory", "1").Err())
	defer s.ConfigSet(context.Background(), "maxmemory", "0")

	refused := map[string]func() error{
		"enqueue": func() error { _, _, err := queue{d.rdb}.enqueue(ctx, "job-new", jobName, dataA); return err },
		"apply":   func() error { _, err := apply(ctx, d.rdb, "a1", shipmentA); return err },
		"start":   func() error { _, _, err := d.start(ctx, waiting); return err },
		"limit":   func() error { _, _, err := (limiter{d.rdb, 5, time.Minute}).allow(ctx, "x"); return err },
	}
	before := s.dump(t)
	for name, step := range refused {
		err := step()
		if _, business := asRefusal(err); !redis.HasErrorPrefix(err, "OOM") || business {
			t.Errorf("%s: %v, want the technical error OOM", name, err)
		}
		if diff := s.changes(before, s.dump(t)); diff != "" {
			t.Errorf("%s left something half done (-before +after)\n%s", name, diff)
		}
	}
	// These free something first, and Redis lets a script that has begun to write go on.
	must(t, d.complete(ctx, held["job-complete"], []byte(`{}`)))
	must(t, d.fail(ctx, held["job-fail"], "why"))
	must(t, d.retry(ctx, held["job-retry"], time.Hour, "why"))
	must(t, d.giveBack(ctx, held["job-giveback"]))
	must(t, d.promote(ctx))
	for id, want := range map[string]string{"job-complete": stateCompleted, "job-fail": stateFailed, "job-retry": stateDelayed,
		"job-giveback": stateWaiting, "job-delayed": stateWaiting} {
		if got := s.job(t, id).State; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	must(t, s.ConfigSet(ctx, "maxmemory", "0").Err())
	if _, err := apply(ctx, d.rdb, "a1", shipmentA); err != nil {
		t.Errorf("with memory again: %v", err)
	}
}
