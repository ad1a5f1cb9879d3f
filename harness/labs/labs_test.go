package labs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/results"
)

func TestRead(t *testing.T) {
	const lines = `{"Action":"start","Package":"example.com/importer/lessons/labs/lua"}
{"Action":"run","Package":"example.com/importer/lessons/labs/lua","Test":"TestRace"}
{"Action":"output","Package":"example.com/importer/lessons/labs/lua","Test":"TestRace","Output":"=== RUN   TestRace\n"}
{"Action":"pass","Package":"example.com/importer/lessons/labs/lua","Test":"TestRace"}
{"Action":"output","Package":"example.com/importer/lessons/labs/lua","Test":"TestNative","Output":"    compare_test.go:28: not_run (needs 8.4)\n"}
{"Action":"output","Package":"example.com/importer/lessons/labs/lua","Test":"TestNative","Output":"--- SKIP: TestNative (0.00s)\n"}
{"Action":"skip","Package":"example.com/importer/lessons/labs/lua","Test":"TestNative"}
{"Action":"pass","Package":"example.com/importer/lessons/labs/lua"}
{"Action":"fail","Package":"example.com/importer/lessons/labs/law/check","Test":"TestTitle"}
{"Action":"fail","Package":"example.com/importer/lessons/labs/law/check"}
no event
{"Action":"output","Package":"example.com/importer/lessons/labs/ledger","Test":"TestX","Output":"    a_test.go:1: no container: Docker not reachable\n"}
{"Action":"skip","Package":"example.com/importer/lessons/labs/ledger","Test":"TestX"}
{"Action":"pass","Package":"example.com/importer/lessons/labs/ledger","Test":"TestY"}
{"Action":"start","Package":"example.com/importer/lessons/labs/paper"}
{"Action":"pass","Package":"example.com/importer/lessons/labs/internal/lesson","Test":"TestLinks"}
{"Action":"fail","Package":"example.com/importer/lessons/labs/internal/exercise"}
`
	var out bytes.Buffer
	found, err := read(strings.NewReader(lines), &out)
	if err != nil {
		t.Fatal(err)
	}
	want := []results.Lab{
		{Name: "internal", Status: results.Status{Reason: "broken: internal/exercise"}, Passed: 1, Failed: []string{"internal/exercise"}},
		{Name: "law", Status: results.Status{Reason: "broken: TestTitle, law/check"}, Failed: []string{"TestTitle", "law/check"}},
		{Name: "ledger", Status: results.Status{Reason: "without proof: tests were skipped, there is no container"}, Passed: 1,
			Skipped: []results.Skip{{Test: "TestX", Reason: "no container: Docker not reachable"}}},
		{Name: "lua", Status: results.Status{Run: true}, Passed: 1, Skipped: []results.Skip{{Test: "TestNative", Reason: "not_run (needs 8.4)"}}},
		{Name: "paper", Status: results.Status{Reason: "no test was run"}},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(out.String(), "no event") || !strings.Contains(out.String(), "failed: law TestTitle") {
		t.Errorf("told: %q", out.String())
	}
}
