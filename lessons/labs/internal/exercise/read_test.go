package exercise

import (
	"encoding/json"
	"strings"
	"testing"
)

// told is what the go command writes about the package "p".
func told(t *testing.T, events ...event) string {
	t.Helper()
	var b strings.Builder
	for _, e := range events {
		if e.Action != "build-output" {
			e.Package = "p"
		}
		if err := json.NewEncoder(&b).Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestVerdicts(t *testing.T) {
	for name, c := range map[string]struct {
		events  []event
		verdict Verdict
		says    string
	}{
		"passed": {
			[]event{{Action: "output", Test: "TestA", Output: "--- PASS: TestA (0.00s)\n"}, {Action: "pass", Test: "TestA"}, {Action: "pass"}},
			Solved, "",
		},
		"failed": {
			[]event{
				{Action: "output", Test: "TestA", Output: "=== RUN   TestA\n"},
				{Action: "output", Test: "TestA", Output: "    check_test.go:11: expected  1\n"},
				{Action: "output", Test: "TestA", Output: "        seen      2\n"},
				{Action: "output", Test: "TestA", Output: "--- FAIL: TestA (0.02s)\n"},
				{Action: "fail", Test: "TestA"},
				{Action: "output", Output: "FAIL\n"},
				{Action: "output", Output: "FAIL\tp\t0.02s\n"},
				{Action: "fail"},
			},
			NotYet, "expected  1\nseen      2",
		},
		"one of two failed": {
			[]event{{Action: "pass", Test: "TestA"}, {Action: "fail", Test: "TestB"}, {Action: "fail"}},
			NotYet, "",
		},
		"panicked": {
			[]event{
				{Action: "output", Test: "TestA", Output: "panic: index out of range [recovered]\n"},
				{Action: "output", Test: "TestA", Output: "\n"},
				{Action: "output", Test: "TestA", Output: "goroutine 7 [running]:\n"},
				{Action: "output", Test: "TestA", Output: "/home/me/a.go:3\n"},
				{Action: "fail", Test: "TestA"},
				{Action: "fail"},
			},
			NotYet, "panic: index out of range [recovered]",
		},
		"does not compile": {
			[]event{
				{Action: "build-output", ImportPath: "p [p.test]", Output: "# p [p.test]\n"},
				{Action: "build-output", ImportPath: "p [p.test]", Output: "work/a.go:3:1: undefined: x\n"},
				{Action: "build-output", ImportPath: "q [q.test]", Output: "work/b.go:1:1: another's\n"},
				{Action: "output", Output: "FAIL\tp [build failed]\n"},
				{Action: "fail", FailedBuild: "p [p.test]"},
			},
			NoBuild, "work/a.go:3:1: undefined: x",
		},
		"skipped": {
			[]event{
				{Action: "output", Test: "TestA", Output: "    shared.go:38: no container: no Docker\n"},
				{Action: "skip", Test: "TestA"},
				{Action: "pass"},
			},
			NotRun, "no container: no Docker",
		},
		"skipped in part": {
			[]event{{Action: "pass", Test: "TestA"}, {Action: "skip", Test: "TestB"}, {Action: "pass"}},
			NotRun, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			list := []attempt{{Exercise: Exercise{Lab: "queue", Name: "first"}}}
			results, err := read(strings.NewReader(told(t, c.events...)), list, map[string]int{"p": 0})
			if err != nil {
				t.Fatal(err)
			}
			if results[0].Verdict != c.verdict || results[0].Says != c.says {
				t.Errorf("%s: %q, want %s: %q", results[0].Verdict, results[0].Says, c.verdict, c.says)
			}
		})
	}
}

// A rehearsal is told, and is told apart from what the check has to say.
func TestRehearsalIsTold(t *testing.T) {
	const why = "rehearsed on miniredis only: Docker not reachable"
	for verdict, events := range map[Verdict][]event{
		Solved: {{Action: "pass", Test: "TestA"}, {Action: "pass"}},
		NotYet: {{Action: "output", Test: "TestA", Output: "    check_test.go:11: seen      2\n"}, {Action: "fail", Test: "TestA"}, {Action: "fail"}},
	} {
		logged := event{Action: "output", Test: "TestA", Output: "    check_test.go:11: " + why + "\n"}
		list := []attempt{{Exercise: Exercise{Lab: "queue", Name: "first"}}}
		results, err := read(strings.NewReader(told(t, append([]event{logged}, events...)...)), list, map[string]int{"p": 0})
		if err != nil {
			t.Fatal(err)
		}
		if r := results[0]; r.Verdict != verdict || r.Rehearsal != why || strings.Contains(r.Says, why) {
			t.Errorf("%+v, want %s and the rehearsal", r, verdict)
		}
		var b strings.Builder
		if err := Tell(&b, results); err != nil || !strings.HasPrefix(b.String(), "queue/first: "+string(verdict)+"\n  "+why+"\n") {
			t.Errorf("%v, told:\n%s", err, b.String())
		}
	}
}

// Nothing that was not checked counts as solved.
func TestNoVerdict(t *testing.T) {
	for name, events := range map[string][]event{
		"nothing was said":  nil,
		"there was no test": {{Action: "output", Output: "ok  p [no tests to run]\n"}, {Action: "pass"}},
		"it broke off":      {{Action: "pass", Test: "TestA"}},
	} {
		list := []attempt{{Exercise: Exercise{Lab: "queue", Name: "first"}}}
		if results, err := read(strings.NewReader(told(t, events...)), list, map[string]int{"p": 0}); err == nil {
			t.Errorf("%s: got %v, want an error", name, results)
		}
	}
	if _, err := read(strings.NewReader("go: cannot find main module\n"), []attempt{{}}, nil); err == nil {
		t.Error("what is no JSON was read")
	}
}
