package lua_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

// Each answer of the script, and whether it wrote.
func TestWindowAnswers(t *testing.T) {
	stored := func(value string, life time.Duration) func(*testing.T, *redis.Client) {
		return func(t *testing.T, rdb *redis.Client) { must(t, rdb.Set(t.Context(), visits, value, life).Err()) }
	}
	nothing := func(*testing.T, *redis.Client) {}
	allowed := func(hits int64) []any { return []any{int64(1), hits} }
	refused := func(hits int64) []any { return []any{int64(0), hits} }
	unusable := func(code string) []any { return []any{int64(2), code} }
	args := func(args ...any) []any { return args }

	for name, c := range map[string]struct {
		before func(*testing.T, *redis.Client)
		args   []any
		want   []any
	}{
		"first hit":                 {nothing, args("2", "60"), allowed(1)},
		"last allowed hit":          {stored("1", time.Minute), args("2", "60"), allowed(2)},
		"limit reached":             {stored("2", time.Minute), args("2", "60"), refused(2)},
		"limit was lowered":         {stored("9", time.Minute), args("2", "60"), refused(9)},
		"least limit and window":    {nothing, args("1", "1"), allowed(1)},
		"largest limit and window":  {nothing, args("1000000", "86400"), allowed(1)},
		"last hit of the largest":   {stored("999999", time.Minute), args("1000000", "60"), allowed(1_000_000)},
		"the largest limit reached": {stored("1000000", time.Minute), args("1000000", "60"), refused(1_000_000)},

		"limit 0":                   {nothing, args("0", "60"), unusable("invalid-arguments")},
		"limit too large":           {nothing, args("1000001", "60"), unusable("invalid-arguments")},
		"limit with a fraction":     {nothing, args("1.5", "60"), unusable("invalid-arguments")},
		"limit with an exponent":    {nothing, args("1e3", "60"), unusable("invalid-arguments")},
		"limit in hexadecimal":      {nothing, args("0x10", "60"), unusable("invalid-arguments")},
		"limit with a plus":         {nothing, args("+5", "60"), unusable("invalid-arguments")},
		"limit with a minus":        {nothing, args("-5", "60"), unusable("invalid-arguments")},
		"limit with a zero first":   {nothing, args("05", "60"), unusable("invalid-arguments")},
		"limit with a blank":        {nothing, args(" 5", "60"), unusable("invalid-arguments")},
		"limit with a line break":   {nothing, args("5\n", "60"), unusable("invalid-arguments")},
		"limit empty":               {nothing, args("", "60"), unusable("invalid-arguments")},
		"limit of very many digits": {nothing, args(strings.Repeat("9", 400), "60"), unusable("invalid-arguments")},
		"window 0":                  {nothing, args("5", "0"), unusable("invalid-arguments")},
		"window too long":           {nothing, args("5", "86401"), unusable("invalid-arguments")},
		"window with a fraction":    {nothing, args("5", "1.5"), unusable("invalid-arguments")},
		"window with an exponent":   {nothing, args("5", "1e3"), unusable("invalid-arguments")},
		"no window":                 {nothing, args("5"), unusable("invalid-arguments")},
		"no arguments":              {nothing, args(), unusable("invalid-arguments")},
		"one argument more":         {nothing, args("5", "60", "1"), unusable("invalid-arguments")},
		"arguments before counter":  {stored("many", 0), args("0", "60"), unusable("invalid-arguments")},

		"counter is a word":            {stored("many", time.Minute), args("5", "60"), unusable("invalid-counter")},
		"counter is empty":             {stored("", time.Minute), args("5", "60"), unusable("invalid-counter")},
		"counter is 0":                 {stored("0", time.Minute), args("5", "60"), unusable("invalid-counter")},
		"counter is negative":          {stored("-1", time.Minute), args("5", "60"), unusable("invalid-counter")},
		"counter with a zero first":    {stored("007", time.Minute), args("50", "60"), unusable("invalid-counter")},
		"counter with a fraction":      {stored("1.0", time.Minute), args("5", "60"), unusable("invalid-counter")},
		"counter too large":            {stored("1000001", time.Minute), args("5", "60"), unusable("invalid-counter")},
		"no lifetime":                  {stored("1", 0), args("5", "60"), unusable("missing-ttl")},
		"no lifetime, limit reached":   {stored("5", 0), args("5", "60"), unusable("missing-ttl")},
		"no lifetime, damaged counter": {stored("many", 0), args("5", "60"), unusable("invalid-counter")},
	} {
		t.Run(name, func(t *testing.T) {
			rdb := enginetest.Database(t)
			c.before(t, rdb)
			before := values(t, rdb)
			wantReply(t, any(c.want))(run(t, rdb, "window", []string{visits}, c.args...))
			wrote := cmp.Diff(before, values(t, rdb))
			if allowed := c.want[0] == int64(1); (wrote != "") != allowed {
				t.Errorf("written (-before +after), for the answer %v:\n%s", c.want, wrote)
			}
		})
	}
}

func TestWindowWantsOneKey(t *testing.T) {
	rdb := enginetest.Database(t)
	for _, keys := range [][]string{nil, {"a", "b"}} {
		wantReply(t, any([]any{int64(2), "invalid-arguments"}))(run(t, rdb, "window", keys, "5", "60"))
	}
	wantKeys(t, rdb, map[string]string{})
}

// The lifetime is set by the first hit and by no other. The test moves its end, where a script that
// sets it with every hit would be seen to move it back.
func TestWindowBeginsWithTheFirstHit(t *testing.T) {
	rdb := enginetest.Database(t)
	two := lua.Window{Limit: 2, Length: time.Minute}
	hit := func(want lua.Answer) {
		t.Helper()
		got, err := two.Hit(t.Context(), rdb, visits)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("answer (-want +got):\n%s", diff)
		}
	}
	hit(lua.Answer{Status: lua.Allowed, Hits: 1})
	if left := rdb.PTTL(t.Context(), visits).Val(); left <= 0 || left > time.Minute {
		t.Errorf("the window lasts %v, want a minute at most", left)
	}
	must(t, rdb.Expire(t.Context(), visits, time.Hour).Err())
	end := rdb.PExpireTime(t.Context(), visits).Val()
	hit(lua.Answer{Status: lua.Allowed, Hits: 2})
	hit(lua.Answer{Status: lua.Refused, Hits: 2})
	if now := rdb.PExpireTime(t.Context(), visits).Val(); now != end {
		t.Errorf("the end of the window moved by %v", now-end)
	}
	must(t, rdb.PExpireAt(t.Context(), visits, time.UnixMilli(1)).Err()) // over
	hit(lua.Answer{Status: lua.Allowed, Hits: 1})
}

// A refusal and a damaged counter are answers. A key of another type is an error, as GET finds it.
func TestWrongTypeIsNoStatus(t *testing.T) {
	rdb := enginetest.Database(t)
	must(t, rdb.RPush(t.Context(), visits, "1").Err())
	before := values(t, rdb)
	answer, err := lua.Window{Limit: 5, Length: time.Minute}.Hit(t.Context(), rdb, visits)
	if !redis.HasErrorPrefix(err, "WRONGTYPE") {
		t.Errorf("got %+v, %v, want WRONGTYPE", answer, err)
	}
	wantKeys(t, rdb, before)

	must(t, rdb.Set(t.Context(), visits, "many", 0).Err())
	answer, err = lua.Window{Limit: 5, Length: time.Minute}.Hit(t.Context(), rdb, visits)
	want := lua.Answer{Status: lua.Unusable, Code: "invalid-counter"}
	if diff := cmp.Diff(want, answer); err != nil || diff != "" {
		t.Errorf("%v; answer (-want +got):\n%s", err, diff)
	}
}

func TestWindowRefusesPartsOfASecond(t *testing.T) {
	_, err := lua.Window{Limit: 1, Length: 1500 * time.Millisecond}.Hit(t.Context(), nil, visits)
	if err == nil || !strings.Contains(err.Error(), "1.5s") {
		t.Errorf("got %v, want an error that names 1.5s", err)
	}
}

// A fixed window is no even rate: around its end there can be two limits in a moment.
func TestTwoLimitsAroundTheEndOfAWindow(t *testing.T) {
	rdb := enginetest.Database(t)
	window := lua.Window{Limit: 2, Length: time.Minute}
	allowed := 0
	for _, reset := range []bool{false, true} {
		if reset {
			must(t, rdb.PExpire(t.Context(), visits, 0).Err()) // as if the time were over
		}
		for range 3 {
			answer, err := window.Hit(t.Context(), rdb, visits)
			must(t, err)
			if answer.Status == lua.Allowed {
				allowed++
			}
		}
	}
	if allowed != 4 {
		t.Errorf("%d hits were allowed, want two limits of 2", allowed)
	}
}
