package lua_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/lua"
)

const visits = "visits:alice"

// Two clients, a limit of one. What they send arrives in an order that is entirely possible, so
// here it is played by hand.
func TestGetThenIncrIsARace(t *testing.T) {
	a, b := two(t)
	const limit = 1

	roomForA, err := lua.Look(t.Context(), a, visits, limit)
	must(t, err)
	roomForB, err := lua.Look(t.Context(), b, visits, limit)
	must(t, err)
	if !roomForA || !roomForB {
		t.Fatalf("room for A %v, for B %v; want both to be told so", roomForA, roomForB)
	}
	var hits []int64
	for _, client := range []func() (int64, error){
		func() (int64, error) { return lua.Count(t.Context(), a, visits) },
		func() (int64, error) { return lua.Count(t.Context(), b, visits) },
	} {
		n, err := client()
		must(t, err)
		hits = append(hits, n)
	}
	if diff := cmp.Diff([]int64{1, 2}, hits); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

// The same two clients with the script: there is no in between to play anything into.
func TestScriptIsNoRace(t *testing.T) {
	a, b := two(t)
	once := lua.Window{Limit: 1, Length: time.Minute}
	answerA, err := once.Hit(t.Context(), a, visits)
	must(t, err)
	answerB, err := once.Hit(t.Context(), b, visits)
	must(t, err)
	want := []lua.Answer{{Status: lua.Allowed, Hits: 1}, {Status: lua.Refused, Hits: 1}}
	if diff := cmp.Diff(want, []lua.Answer{answerA, answerB}); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	wantKeys(t, a, map[string]string{visits: "1"})
}

// A hundred at once, in whatever order they arrive.
func TestScriptIsNoRaceForMany(t *testing.T) {
	a, b := two(t)
	ten := lua.Window{Limit: 10, Length: time.Minute}
	type result struct {
		answer lua.Answer
		err    error
	}
	results := make(chan result)
	for i := range 100 {
		client := a
		if i%2 == 0 {
			client = b
		}
		go func() {
			answer, err := ten.Hit(t.Context(), client, visits)
			results <- result{answer, err}
		}()
	}
	counts := map[lua.Status]int{}
	for range 100 {
		r := <-results
		if r.err != nil {
			t.Error(r.err)
		}
		counts[r.answer.Status]++
	}
	if diff := cmp.Diff(map[lua.Status]int{lua.Allowed: 10, lua.Refused: 90}, counts); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
