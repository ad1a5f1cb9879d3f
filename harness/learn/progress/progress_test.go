package progress_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/learn/progress"
	"example.com/importer/harness/results"
)

func kept() progress.Progress {
	var p progress.Progress
	p.Set(progress.Stage{ID: "08", Digest: "b", Fails: "the stage does not build"})
	p.Set(progress.Stage{ID: "05", Digest: "a", Scenarios: progress.Count{Held: 3, Of: 3}, Promises: progress.Count{Held: 17, Of: 17}, Server: "Redis 8.4.0", Run: true})
	p.Set(progress.Stage{ID: "06", Digest: "a", Scenarios: progress.Count{Held: 1, Of: 3}, Promises: progress.Count{Held: 9, Of: 26}, Rehearsal: true})
	return p
}

func TestOf(t *testing.T) {
	got := progress.Of(results.Stage{ID: "06", Digest: "sha256:1",
		Cells:    []results.Cell{{Verdict: results.Holds}, {Verdict: results.Gap}, {Verdict: results.Broken}},
		Promises: []results.Promise{{Verdict: results.Holds}, {Verdict: results.NotRun}, {Verdict: results.Error}},
	}, results.Engine{Server: "miniredis 2.40.0", Rehearsal: "rehearsed"})
	want := progress.Stage{ID: "06", Digest: "sha256:1", Scenarios: progress.Count{Held: 2, Of: 3}, Promises: progress.Count{Held: 1, Of: 3}, Server: "miniredis 2.40.0", Rehearsal: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	if none, err := progress.Read(path); err != nil || len(none.Stages) != 0 {
		t.Fatalf("without a file: %+v, %v", none, err)
	}
	content, err := kept().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := progress.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(kept(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again := progress.Stage{ID: "06", Digest: "c", Promises: progress.Count{Held: 26, Of: 26}}
	got.Set(again)
	if now, ok := got.Find("06"); !ok || now != again || len(got.Stages) != 3 {
		t.Errorf("a second run of 06: %+v", got)
	}
}

func TestUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	for content, want := range map[string]string{
		"":                                 "EOF|end of JSON",
		"{":                                "end of JSON",
		`[]`:                               "array",
		`{}`:                               `format is ""`,
		`{"format":"importer-progress/9"}`: "importer-progress/9",
		`{"format":"importer-progress/1","stages":[{"id":"99"}]}`:                                   `"99"`,
		`{"format":"importer-progress/1","stages":[{"id":"05","promises":{"held":18,"of":17}}]}`:    `"05"`,
		`{"format":"importer-progress/1","stages":[{"id":"05","promises":{"held":"all","of":17}}]}`: "string",
	} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := progress.Read(path)
		if !errors.Is(err, progress.ErrUnreadable) {
			t.Errorf("%q: %v", content, err)
			continue
		}
		found := false
		for _, w := range strings.Split(want, "|") {
			found = found || strings.Contains(err.Error(), w)
		}
		if !found {
			t.Errorf("%q: %v; want %s", content, err, want)
		}
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	kept().Table(&out, func(id string) progress.Now {
		return map[string]progress.Now{
			"05": {There: true, Digest: "a"}, "06": {There: true, Digest: "changed"}, "07": {There: true, Digest: "x"},
		}[id]
	})
	const want = `  05  queue-enqueue     scenarios 3 of 3, promises 17 of 17: complete, on Redis 8.4.0
  06  worker            scenarios 1 of 3, promises 9 of 26, rehearsed (changed since)
  07  retries           begun, and not run yet: make watch-07
  08  idempotent-apply  the stage does not build; work/08 is not there any more
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out.Reset()
	progress.Progress{}.Table(&out, func(string) progress.Now { return progress.Now{} })
	if !strings.Contains(out.String(), "not begun: make start-05") {
		t.Errorf("nothing begun:\n%s", out.String())
	}
}
