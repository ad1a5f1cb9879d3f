package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const counter = keyPrefix + "limit:192.0.2.1"

// Each status of the script. One refusal writes nothing, whatever its reason.
func TestLimitScript(t *testing.T) {
	set := func(value string, life time.Duration) func(*testing.T, *store) {
		return func(t *testing.T, s *store) { must(t, s.Set(t.Context(), counter, value, life).Err()) }
	}
	nothing := func(*testing.T, *store) {}
	tests := []struct {
		name   string
		before func(*testing.T, *store)
		args   []any
		want   []any // the answer without the time that is left
		writes bool
	}{
		{"first hit", nothing, []any{"2", "60000"}, []any{int64(1), int64(1)}, true},
		{"last allowed hit", set("1", time.Minute), []any{"2", "60000"}, []any{int64(1), int64(2)}, true},
		{"limit reached", set("2", time.Minute), []any{"2", "60000"}, []any{int64(0), int64(2)}, false},
		{"over the limit, after it was lowered", set("9", time.Minute), []any{"2", "60000"}, []any{int64(0), int64(9)}, false},
		{"least limit and window", nothing, []any{"1", "1"}, []any{int64(1), int64(1)}, true},
		{"largest limit and window", nothing, []any{"1000000", "86400000"}, []any{int64(1), int64(1)}, true},
		{"largest limit reached", set("1000000", time.Minute), []any{"1000000", "60000"}, []any{int64(0), int64(1_000_000)}, false},
		{"last hit of the largest limit", set("999999", time.Minute), []any{"1000000", "60000"}, []any{int64(1), int64(1_000_000)}, true},

		{"limit 0", nothing, []any{"0", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit too large", nothing, []any{"1000001", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit with a fraction", nothing, []any{"1.5", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit with an exponent", nothing, []any{"1e3", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit with a sign", nothing, []any{"+5", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"negative limit", nothing, []any{"-5", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit with a blank", nothing, []any{" 5", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit with a line break", nothing, []any{"5\n", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit in hexadecimal", nothing, []any{"0x10", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit empty", nothing, []any{"", "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"limit of very many digits", nothing, []any{strings.Repeat("9", 400), "60000"}, []any{int64(2), "invalid-arguments"}, false},
		{"window 0", nothing, []any{"5", "0"}, []any{int64(2), "invalid-arguments"}, false},
		{"window too long", nothing, []any{"5", "86400001"}, []any{int64(2), "invalid-arguments"}, false},
		{"window with a fraction", nothing, []any{"5", "1.5"}, []any{int64(2), "invalid-arguments"}, false},
		{"no window", nothing, []any{"5"}, []any{int64(2), "invalid-arguments"}, false},
		{"no arguments", nothing, nil, []any{int64(2), "invalid-arguments"}, false},
		{"one argument more", nothing, []any{"5", "60000", "1"}, []any{int64(2), "invalid-arguments"}, false},
		{"arguments are checked before the counter", set("x", 0), []any{"0", "60000"}, []any{int64(2), "invalid-arguments"}, false},

		{"counter is a word", set("many", time.Minute), []any{"5", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter is empty", set("", time.Minute), []any{"5", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter is 0", set("0", time.Minute), []any{"5", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter is negative", set("-1", time.Minute), []any{"5", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter with a zero before it", set("007", time.Minute), []any{"50", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter with a fraction", set("1.0", time.Minute), []any{"5", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter too large", set("1000001", time.Minute), []any{"5", "60000"}, []any{int64(2), "invalid-counter"}, false},
		{"counter without a lifetime", set("1", 0), []any{"5", "60000"}, []any{int64(2), "missing-ttl"}, false},
		{"counter without a lifetime, limit reached", set("5", 0), []any{"5", "60000"}, []any{int64(2), "missing-ttl"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			tt.before(t, s)
			before := s.dump(t)
			reply, err := limitScript.run(t.Context(), s, []string{counter}, tt.args...)
			must(t, err)
			got := reply.([]any)
			if len(got) == 3 {
				if left, ok := got[2].(int64); !ok || left < 0 || left > 86_400_000 {
					t.Errorf("time left: %v", got[2])
				}
				got = got[:2]
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("answer (-want +got)\n%s", diff)
			}
			if diff := s.changes(before, s.dump(t)); (diff != "") != tt.writes {
				t.Errorf("written: %v, want %v\n%s", diff != "", tt.writes, diff)
			}
		})
	}
}

// A key of another type is trouble and no status; nothing is written.
func TestLimitOfWrongType(t *testing.T) {
	s := newStore(t)
	must(t, s.RPush(t.Context(), counter, "1").Err())
	before := s.dump(t)
	_, _, err := limiter{rdb: s.client(t), limit: 5, window: time.Minute}.allow(t.Context(), "192.0.2.1")
	if err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
		t.Errorf("%v, want WRONGTYPE", err)
	}
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// A damaged counter and unusable arguments are trouble for the caller as well.
func TestLimiterReportsWhatIsUnusable(t *testing.T) {
	s := newStore(t)
	must(t, s.Set(t.Context(), counter, "1", 0).Err())
	ok, _, err := limiter{rdb: s.client(t), limit: 5, window: time.Minute}.allow(t.Context(), "192.0.2.1")
	if ok || err == nil || !strings.Contains(err.Error(), "missing-ttl") {
		t.Errorf("allowed %v, %v; want an error that says missing-ttl", ok, err)
	}
}

// The window begins with the first hit and ends when it ends: later hits, also
// refused ones, do not make it longer. Clients do not share a window.
func TestLimitWindow(t *testing.T) {
	s := newStore(t)
	l := limiter{rdb: s.client(t), limit: 2, window: time.Minute}
	allow := func(client string) (bool, time.Duration) {
		t.Helper()
		ok, wait, err := l.allow(t.Context(), client)
		must(t, err)
		return ok, wait
	}
	wantOK := func(what, client string, want bool) {
		t.Helper()
		if ok, _ := allow(client); ok != want {
			t.Errorf("%s: allowed %v, want %v", what, ok, want)
		}
	}
	wantOK("first", "192.0.2.1", true)
	ends := s.PExpireTime(t.Context(), counter).Val()
	s.pass(t, 40*time.Second)
	wantOK("second", "192.0.2.1", true)
	if ok, wait := allow("192.0.2.1"); ok || wait <= 10*time.Second || wait > 20*time.Second {
		t.Errorf("third: allowed %v, wait %v; want refused and 20s at most", ok, wait)
	}
	if now := s.PExpireTime(t.Context(), counter).Val(); (now - (ends - 40*time.Second)).Abs() > 2*time.Second {
		t.Errorf("the end of the window moved by %v", now-(ends-40*time.Second))
	}
	wantOK("another client", "2001:db8::1", true)
	s.pass(t, 20*time.Second)
	wantOK("next window", "192.0.2.1", true)
	if left := s.PTTL(t.Context(), counter).Val(); left <= 50*time.Second || left > time.Minute {
		t.Errorf("the next window lasts %v, want 1m", left)
	}
}
