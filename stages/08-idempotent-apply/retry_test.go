package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

var errTechnical = errors.New("connection reset")

// What follows a failed attempt.
func TestRetryPolicyNext(t *testing.T) {
	p := retryPolicy{attempts: 3, backoff: 10 * time.Millisecond, deadline: time.Minute}
	tests := []struct {
		name    string
		number  int
		age     time.Duration
		failure error
		again   bool
		why     string
	}{
		{"first failure", 1, 0, errTechnical, true, "connection reset"},
		{"last but one", 2, 0, errTechnical, true, "connection reset"},
		{"last attempt", 3, 0, errTechnical, false, "attempts_exhausted: attempt 3 of 3: connection reset"},
		{"more attempts than allowed", 4, 0, errTechnical, false, "attempts_exhausted: attempt 4 of 3: connection reset"},
		{"shortly before the deadline", 1, time.Minute - time.Second, errTechnical, true, "connection reset"},
		{"at the deadline", 1, time.Minute, errTechnical, false, "deadline_exceeded: no attempt may begin later than 1m0s after the enqueue: connection reset"},
		{"refusal", 1, 0, refuse("bad_csv", "line 3"), false, "bad_csv: line 3"},
		{"refusal inside another error", 1, 0, fmt.Errorf("import: %w", refuse("quantity_limit", "lamp")), false, "import: quantity_limit: lamp"},
		{"refusal in the last attempt", 3, 0, refuse("bad_csv", "line 3"), false, "bad_csv: line 3"},
		{"refusal after the deadline", 1, time.Hour, refuse("bad_csv", "line 3"), false, "bad_csv: line 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rest, again, why := p.next(attempt{number: tt.number, age: tt.age, started: time.Now()}, tt.failure)
			if again != tt.again || why != tt.why {
				t.Errorf("again %v, %q; want %v, %q", again, why, tt.again, tt.why)
			}
			if rest < 0 || rest > 20*time.Millisecond || !again && rest != 0 {
				t.Errorf("pause %v", rest)
			}
		})
	}
}

// The time that the attempt itself took counts towards the deadline.
func TestRetryPolicyCountsTheAttemptsOwnTime(t *testing.T) {
	p := retryPolicy{attempts: 3, backoff: time.Millisecond, deadline: time.Minute}
	a := attempt{number: 1, age: 50 * time.Second, started: time.Now().Add(-11 * time.Second)}
	if _, again, why := p.next(a, errTechnical); again || !strings.HasPrefix(why, "deadline_exceeded") {
		t.Errorf("again %v, %q; want the deadline", again, why)
	}
}

// The bound of a pause doubles up to its cap and never overflows, and the pauses
// are spread over all of it.
func TestRetryPolicyPause(t *testing.T) {
	tests := []struct {
		backoff time.Duration
		number  int
		bound   time.Duration
	}{
		{time.Second, 1, time.Second},
		{time.Second, 2, 2 * time.Second},
		{time.Second, 3, 4 * time.Second},
		{time.Second, 6, 32 * time.Second},
		{time.Second, 7, time.Minute},
		{time.Second, 100, time.Minute},
		{time.Millisecond, 1, time.Millisecond},
		{time.Millisecond, 100, time.Minute},
		{maxBackoff, 1, time.Minute},
		{maxBackoff, 2, time.Minute},
		{maxBackoff, 100, time.Minute},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.backoff, " attempt ", tt.number), func(t *testing.T) {
			p := retryPolicy{backoff: tt.backoff}
			seen := map[time.Duration]bool{}
			var low, high int
			for range 100 {
				d := p.pause(tt.number)
				if d < 0 || d > tt.bound {
					t.Fatalf("pause %v, want 0 to %v", d, tt.bound)
				}
				seen[d] = true
				if d < tt.bound/2 {
					low++
				} else {
					high++
				}
			}
			// 100 fair draws on one side only: once in 2^100.
			if len(seen) < 50 || low == 0 || high == 0 {
				t.Errorf("%d different pauses, %d in the lower half, %d in the upper", len(seen), low, high)
			}
		})
	}
}

func TestRetryPolicyBegin(t *testing.T) {
	p := retryPolicy{attempts: 3, deadline: time.Minute}
	tests := []struct {
		name string
		a    attempt
		code string
	}{
		{"first", attempt{number: 1}, ""},
		{"first, however late", attempt{number: 1, age: time.Hour}, ""},
		{"last", attempt{number: 3, age: time.Second}, ""},
		{"one too many", attempt{number: 4}, "attempts_exhausted"},
		{"one too many, taken over", attempt{number: 4, entry: entry{takenOver: true}}, "attempts_exhausted"},
		{"due retry before the deadline", attempt{number: 2, age: time.Minute - 1}, ""},
		{"due retry that nobody took in time", attempt{number: 2, age: time.Minute}, "deadline_exceeded"},
		{"taken over after the deadline: what was done is to be found out", attempt{number: 2, age: time.Hour, entry: entry{takenOver: true}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := codeOf(t, p.begin(tt.a)); got != tt.code {
				t.Errorf("code %q, want %q", got, tt.code)
			}
		})
	}
}

// A delayed job rests until it is due and then comes back once, however many
// workers look.
func TestRetryAndPromote(t *testing.T) {
	s := newStore(t)
	d := s.delivery(t, "first")
	s.enqueue(t, jobA)
	must(t, d.retry(t.Context(), d.take(t).entry, 10*time.Second, "Redis was away"))
	if got := s.job(t, jobA); got.State != stateDelayed || got.Error != "Redis was away" || got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
	if n := s.XLen(t.Context(), streamKey).Val(); n != 0 {
		t.Errorf("%d entries, want none", n)
	}
	must(t, d.promote(t.Context()))
	if got := s.job(t, jobA).State; got != stateDelayed {
		t.Errorf("%s before it is due", got)
	}

	s.pass(t, 10*time.Second)
	var both sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		looker := s.delivery(t, fmt.Sprint("looker-", i))
		both.Go(func() { errs[i] = looker.promote(t.Context()) })
	}
	both.Wait()
	must(t, errors.Join(errs...))
	if n, z := s.XLen(t.Context(), streamKey).Val(), s.ZCard(t.Context(), delayedKey).Val(); n != 1 || z != 0 {
		t.Errorf("%d entries and %d delayed, want 1 and 0", n, z)
	}
	if got := s.job(t, jobA).State; got != stateWaiting {
		t.Errorf("state %s, want waiting", got)
	}
	reply, err := promoteScript.run(t.Context(), s, []string{streamKey, recordKey(jobA), delayedKey}, jobA)
	must(t, err)
	if reply != int64(0) {
		t.Errorf("promoted once more: %v", reply)
	}
}

// More due jobs than one look takes: the next look takes the others.
func TestPromoteMany(t *testing.T) {
	s := newStore(t)
	d := s.delivery(t, "first")
	for i := range 120 {
		s.enqueue(t, fmt.Sprint("job-", i))
		must(t, d.retry(t.Context(), d.take(t).entry, 0, "why"))
	}
	must(t, d.promote(t.Context()))
	must(t, d.promote(t.Context()))
	if n, z := s.XLen(t.Context(), streamKey).Val(), s.ZCard(t.Context(), delayedKey).Val(); n != 120 || z != 0 {
		t.Errorf("%d entries and %d delayed, want 120 and 0", n, z)
	}
}

// The record of a delayed job is removed and the same id is stored anew: that
// job has its entry, and the old due time must not give it a second one, nor
// wake it when it is finished.
func TestPromoteLeavesAJobThatWasStoredAnew(t *testing.T) {
	s := newStore(t)
	d := s.delivery(t, "first")
	s.enqueue(t, jobA)
	must(t, d.retry(t.Context(), d.take(t).entry, time.Second, "why"))
	must(t, s.Del(t.Context(), recordKey(jobA)).Err())
	s.enqueue(t, jobA)
	a := d.take(t)
	must(t, d.complete(t.Context(), a.entry, []byte(`{}`)))
	s.pass(t, 2*time.Second)
	must(t, d.promote(t.Context()))
	if got := s.job(t, jobA); got.State != stateCompleted || got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
	if n, z := s.XLen(t.Context(), streamKey).Val(), s.ZCard(t.Context(), delayedKey).Val(); n != 0 || z != 0 {
		t.Errorf("%d entries and %d delayed, want none", n, z)
	}
}
