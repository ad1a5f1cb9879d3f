package check

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/lessons/labs/internal/exercise"
)

const (
	visits = "visits:alice"
	minute = 60
)

// Hit is what the exercise limiter asks for.
type Hit func(ctx context.Context, rdb *redis.Client, key string, limit, seconds int64) (allowed bool, err error)

// Limiter checks a limiter: with another client before each of its messages, and then alone.
func Limiter(t testing.TB, hit Hit) {
	t.Helper()
	limiter(t, start(t), hit)
}

func limiter(t testing.TB, s server, hit Hit) {
	t.Helper()
	beforeEachMessage(t, s, func(a, b *redis.Client, nth int) bool { return limiterMeddledWith(t, a, b, hit, nth) })
	s.story(t, func(rdb, _ *redis.Client) { limiterAlone(t, rdb, hit) })
}

const (
	theRace   = "lua-scripts.md#a-race-played-by-hand"
	theWindow = "lua-scripts.md#the-window"
)

func limiterAlone(t testing.TB, rdb *redis.Client, hit Hit) {
	t.Helper()
	once := func() bool {
		t.Helper()
		allowed, err := hit(withinPatience(t), rdb, visits, 2, minute)
		answers(t, "a hit", err)
		return allowed
	}
	end := func() time.Duration { // -1 if there is none
		t.Helper()
		left, err := rdb.TTL(t.Context(), visits).Result()
		answers(t, "TTL", err)
		return left
	}

	first := once()
	if left := end(); left <= 0 || left > minute*time.Second {
		t.Fatal(exercise.Finding{
			Expected: "the first hit gives the counter a lifetime of 60 seconds",
			Seen:     lifetime(left),
			Because:  "a counter without a lifetime shuts its client out for ever",
			Lesson:   theWindow,
		})
	}
	if err := rdb.Expire(t.Context(), visits, time.Hour).Err(); err != nil {
		t.Fatal(err)
	}
	got := []bool{first, once(), once(), once()}
	if want := []bool{true, true, false, false}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("four hits with a limit of 2: allowed %v", want),
			Seen:     fmt.Sprint(got),
			Lesson:   theWindow,
		})
	}
	if held := rdb.Get(t.Context(), visits).Val(); held != "2" {
		t.Fatal(exercise.Finding{
			Expected: "a hit that was refused is not counted: the counter is 2",
			Seen:     "the counter is " + held,
			Because:  "all checks come before the first write",
			Lesson:   theWindow,
		})
	}
	if left := end(); left <= minute*time.Second {
		t.Fatal(exercise.Finding{
			Expected: "a later hit leaves the lifetime alone",
			Seen:     "it was set again, to 60 seconds",
			Because:  "otherwise a client that never rests never gets a new window",
			Hint:     "how does the script know that it counts the first hit?",
			Lesson:   theWindow,
		})
	}
}

func lifetime(left time.Duration) string {
	if left <= 0 {
		return "it has none"
	}
	return fmt.Sprintf("it has one of %v", left)
}

// limiterMeddledWith lets client b hit before the nth message of client a. The limit is 1.
func limiterMeddledWith(t testing.TB, a, b *redis.Client, hit Hit, nth int) (happened bool) {
	t.Helper()
	var allowedB bool
	var errB error
	asked := meddle(a, nth, func() { allowedB, errB = hit(withinPatience(t), b, visits, 1, minute) })
	allowedA, err := hit(withinPatience(t), a, visits, 1, minute)
	answers(t, "the hit of client A", err)
	answers(t, "the hit of client B", errB)
	if asked() && allowedA == allowedB {
		t.Fatal(exercise.Finding{
			Expected: "two clients, a limit of 1: one of them is allowed",
			Seen:     fmt.Sprintf("client B came before message %d of client A; A allowed %v, B allowed %v", nth, allowedA, allowedB),
			Because:  "between two messages of one client, anybody may send anything",
			Hint:     "let the script decide: it has the limit in ARGV and the counter in GET",
			Lesson:   theRace,
		})
	}
	return asked()
}
