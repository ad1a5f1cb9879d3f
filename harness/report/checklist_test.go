package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

func entry() report.Entry {
	return report.Entry{
		Stage: "08", Status: results.Status{Run: true}, Server: "Redis 7.0.15, container", Held: 3, Promises: 3, Digest: "sha256:aaaaaaaaaaaabbbb",
		Cells: []report.EntryCell{{Scenario: "batch-ab", Verdict: results.Holds, Stocks: []string{"20/8/4", "32/13/8"}}},
	}
}

func lab() results.Lab {
	return results.Lab{Name: "lua", Status: results.Status{Run: true}, Passed: 40, Digest: "sha256:dddd", Skipped: []results.Skip{
		{Test: "TestA", Reason: "not_run (needs 8.4)"}, {Test: "TestB", Reason: "not_run (needs 8.4)"}, {Test: "TestC", Reason: "no server | of yours"},
		{Test: "TestD", Reason: "no time"}, {Test: "TestE", Reason: "no time"}, {Test: "TestF", Reason: "no time"}, {Test: "TestG", Reason: "no time"},
	}}
}

func TestRowsOfLabs(t *testing.T) {
	for name, c := range map[string]struct {
		labs   []results.Lab
		digest string
		want   string
	}{
		"run":           {[]results.Lab{lab()}, "sha256:dddd", "| lua | `run` | 40 | TestA, TestB: not_run (needs 8.4); TestC: no server \\| of yours; 4 tests: no time | `sha256:dddd` |"},
		"changed since": {[]results.Lab{lab()}, "sha256:eeee", "| lua | `not_run (sources changed since)` |  |  |  |"},
		"never run":     {nil, "sha256:dddd", "| all | `not_run (never run)` |  |  |  |"},
	} {
		content := report.Checklist(report.Record{Labs: c.labs}, map[string]string{report.LabsDigest: c.digest})
		if !strings.Contains(string(content), "\n"+c.want+"\n") {
			t.Errorf("%s: want %s in\n%s", name, c.want, content)
		}
	}
}

func row(t *testing.T, content []byte, stage string) string {
	t.Helper()
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "| "+stage+" ") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("no row for stage %s in:\n%s", stage, content)
	return ""
}

func TestChecklistIsReadBackAsItWasWritten(t *testing.T) {
	record := report.Record{Stages: []report.Entry{entry()}, Labs: []results.Lab{lab()}}
	digests := map[string]string{"08": "sha256:aaaaaaaaaaaabbbb"}
	content := report.Checklist(record, digests)
	again, err := report.ParseChecklist(content)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(record, again); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	if !bytes.Equal(content, report.Checklist(again, digests)) {
		t.Error("writing what was read gives other bytes")
	}
}

func TestChecklistRows(t *testing.T) {
	there := map[string]string{"08": "sha256:aaaaaaaaaaaabbbb"}
	rehearsed := entry()
	rehearsed.Status = results.Status{Reason: "rehearsed on miniredis only"}
	for name, c := range map[string]struct {
		entries []report.Entry
		digests map[string]string
		want    string
	}{
		"run":           {[]report.Entry{entry()}, there, "| 08 idempotent-apply | `run` | holds: 20/8/4, 32/13/8 |  |  | 3 of 3 | Redis 7.0.15, container | `sha256:aaaaaaaaaaaa` |"},
		"rehearsed":     {[]report.Entry{rehearsed}, there, "| 08 idempotent-apply | `not_run (rehearsed on miniredis only)` | holds: 20/8/4, 32/13/8 |  |  | 3 of 3 | Redis 7.0.15, container | `sha256:aaaaaaaaaaaa` |"},
		"changed since": {[]report.Entry{entry()}, map[string]string{"08": "sha256:cccc"}, "| 08 idempotent-apply | `not_run (sources changed since)` |  |  |  |  |  |  |"},
		"never run":     {nil, there, "| 08 idempotent-apply | `not_run (never run)` |  |  |  |  |  |  |"},
		"not there":     {[]report.Entry{entry()}, nil, "| 08 idempotent-apply | `not_run (this stage is not built yet)` |  |  |  |  |  |  |"},
	} {
		if diff := cmp.Diff(c.want, row(t, report.Checklist(report.Record{Stages: c.entries}, c.digests), "08")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAnEditedChecklistIsFoundOut(t *testing.T) {
	content := string(report.Checklist(report.Record{Stages: []report.Entry{entry()}}, map[string]string{"08": "sha256:aaaaaaaaaaaabbbb"}))
	for name, edited := range map[string]string{
		"data changed":  strings.Replace(content, `"20/8/4"`, `"20/8/5"`, 1),
		"sum changed":   strings.Replace(content, "\nsum ", "\nsum 0", 1),
		"sum removed":   content[:strings.Index(content, "\nsum ")] + "\n-->\n",
		"data removed":  content[:strings.Index(content, "<!--")],
		"empty":         "",
		"not closed":    strings.TrimSuffix(content, "\n-->\n"),
		"other content": "# my own list\n",
	} {
		if _, err := report.ParseChecklist([]byte(edited)); !errors.Is(err, report.ErrEdited) {
			t.Errorf("%s: got error %v", name, err)
		}
	}
}

// Whatever a stage printed, its words must not end the comment that holds them.
func TestForeignTextStaysInsideTheData(t *testing.T) {
	e := entry()
	e.Status = results.Status{Reason: "--> | \n| 08 idempotent-apply | `run` |"}
	content := report.Checklist(report.Record{Stages: []report.Entry{e}}, map[string]string{"08": e.Digest})
	again, err := report.ParseChecklist(content)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]report.Entry{e}, again.Stages); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	rows := 0
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "| 08 ") {
			rows++
		}
	}
	if rows != 1 {
		t.Errorf("%d rows for stage 08:\n%s", rows, content)
	}
}
