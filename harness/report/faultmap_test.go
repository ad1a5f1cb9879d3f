package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

func smallMap() results.Map {
	story := []results.StoryLine{
		{Lane: "client", To: "server", Text: "POST batch-a"},
		{Lane: "worker 1", Text: "starts"},
		{Lane: "worker 1", To: "Redis", Text: "HSET lamp: Redis executes it, and the reply is lost", Fault: true, Lost: true},
		{Lane: "Redis", Text: "stock 32/8/4; half of it"},
	}
	return results.Map{
		Format: results.MapFormat, Stage: "07", Name: "retries",
		Engine:   results.Engine{Label: "Redis 7.0.15 in a container", Server: "Redis 7.0.15"},
		Worker:   []results.MapStep{{ID: "k1", Label: "HSET lamp"}, {ID: "k2", Label: "EVALSHA finish"}},
		Producer: []results.MapStep{{ID: "p1", Label: "EVALSHA enqueue"}},
		Cells: []results.MapCell{
			{Name: "07/k1/cut-before", Verdict: results.Holds, Outcome: results.Once, Why: "stock 20/8/4"},
			{Name: "07/k1/cut-after", Verdict: results.Gap, Outcome: results.Partly, Why: "stock 32/8/4", Story: story},
			{Name: "07/k2/cut-before", Verdict: results.Broken, Outcome: results.Stuck, Why: "it is in state </script><b>"},
			{Name: "07/k2/cut-after", Verdict: results.NotRun, Why: "fault did not fire"},
			{Name: "07/p1/cut-before", Verdict: results.Holds, Outcome: results.Once, Why: "stock 20/8/4"},
		},
		Pairs:  []results.MapCell{{Name: "07/k1/cut-after+k1/freeze", Verdict: results.Gap, Outcome: results.Twice, Why: "stock 32/13/8"}},
		Millis: 2000,
	}
}

func TestFaultMap(t *testing.T) {
	var out bytes.Buffer
	report.FaultMap(&out, smallMap(), false)
	want := `
Fault map of stage 07 retries on Redis 7.0.15 in a container
One job, one fault at one of its commands: what is left when all is quiet.

                          cut-before  cut-after
     k1  HSET lamp        once        partly
     k2  EVALSHA finish   stuck       not_run
     p1  EVALSHA enqueue  once

  once        2  added once, and all that is kept agrees
  partly      1  stock, generation and mark do not agree
  twice       1  added more than once
  stuck       1  the job never ends

  broken: 07/k2/cut-before stuck
    it is in state </script><b>
    its story: .build/harness replay 07/k2/cut-before

  not_run: 07/k2/cut-after 
    fault did not fire
    its story: .build/harness replay 07/k2/cut-after

  6 cells in 2.0 s, 3.0 cells per second
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStory(t *testing.T) {
	var text, diagram bytes.Buffer
	report.Story(&text, smallMap().Cells[1])
	report.Mermaid(&diagram, smallMap().Cells[1])
	want := `  client   ->  server  POST batch-a
  worker 1             starts
  worker 1 -x  Redis   HSET lamp: Redis executes it, and the reply is lost
  Redis                stock 32/8/4; half of it
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("story (-want +got):\n%s", diff)
	}
	want = `sequenceDiagram
    participant client as client
    participant server as server
    participant worker1 as worker 1
    participant Redis as Redis
    client->>server: POST batch-a
    Note over worker1: starts
    worker1-xRedis: HSET lamp: Redis executes it, and the reply is lost
    Note over Redis: stock 32/8/4#59; half of it
`
	if diff := cmp.Diff(want, diagram.String()); diff != "" {
		t.Errorf("diagram (-want +got):\n%s", diff)
	}
}

// The picture is well-formed whatever a program said, and has a place for each cell.
func TestFaultMapSVG(t *testing.T) {
	var out bytes.Buffer
	if err := report.FaultMapSVG(&out, smallMap()); err != nil {
		t.Fatal(err)
	}
	cells, decoder := 0, xml.NewDecoder(bytes.NewReader(out.Bytes()))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "g" {
			cells++
		}
	}
	if cells != 5 {
		t.Errorf("%d cells in the picture, want 5", cells)
	}
}

// The page needs nothing from elsewhere, has every cell, and cannot be broken out of.
func TestFaultMapHTML(t *testing.T) {
	var out bytes.Buffer
	if err := report.FaultMapHTML(&out, smallMap()); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, c := range append(smallMap().Cells, smallMap().Pairs...) {
		if !strings.Contains(page, strings.ReplaceAll(c.Name, "+", `\u002b`)) && !strings.Contains(page, c.Name) {
			t.Errorf("the page lacks %s", c.Name)
		}
	}
	for _, bad := range []string{"</script><b>", "http://", "https://", "src=", "@import"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}
