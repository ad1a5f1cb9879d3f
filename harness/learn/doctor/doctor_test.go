package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var here = Machine{Workbook: ".", GoMin: "1.26.0"}

func plain(_ State, word string) string { return word }

func TestWrite(t *testing.T) {
	var out strings.Builder
	Write(&out, []Finding{
		{"Go", OK, "go1.26.8", ""},
		{"race detector", Note, "there is no C compiler gcc", "install one"},
		{"Docker", NoProof, "Docker not reachable:\nno socket", "start it"},
	}, plain)
	const want = `  ok       Go             go1.26.8
  note     race detector  there is no C compiler gcc → install one
  missing  Docker         Docker not reachable: no socket → start it

Stages can be rehearsed here. For a proof, see what is missing.
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorst(t *testing.T) {
	for _, c := range []struct {
		states []State
		want   State
	}{
		{[]State{OK, Note}, OK},
		{[]State{OK, NoProof, Note}, NoProof},
		{[]State{NoProof, NoRun, NoProof}, NoRun},
	} {
		var findings []Finding
		for _, s := range c.states {
			findings = append(findings, Finding{State: s})
		}
		if got := Worst(findings); got != c.want {
			t.Errorf("%v: %s, want %s", c.states, got, c.want)
		}
	}
}

func TestOlder(t *testing.T) {
	for version, want := range map[string]bool{
		"go1.26.0": false, "go1.26": false, "go1.26.8": false, "go1.27.1": false, "go2.0": false,
		"go1.25.9": true, "go1.9": true, "go1.26.8 X:nodwarf5": false, "devel go1.28-abcdef": false, "": false,
	} {
		if got := older(version, "1.26.0"); got != want {
			t.Errorf("%q is older than 1.26.0: %v, want %v", version, got, want)
		}
	}
}

// stateOf is the worst state among the findings about a thing.
func stateOf(t *testing.T, findings []Finding, thing string) (Finding, bool) {
	t.Helper()
	for _, f := range findings {
		if f.State != OK && f.Do == "" {
			t.Errorf("%s is %s, and nothing is said to do: %+v", f.Thing, f.State, f)
		}
	}
	for _, f := range findings {
		if f.Thing == thing {
			return f, true
		}
	}
	return Finding{}, false
}

func TestThisMachineRunsGo(t *testing.T) {
	findings := Examine(t.Context(), here)
	for _, thing := range []string{"Go", "loopback"} {
		if f, ok := stateOf(t, findings, thing); !ok || f.State != OK {
			t.Errorf("%s: %+v", thing, f)
		}
	}
	if Worst(findings) == NoRun {
		t.Errorf("nothing can be run: %+v", findings)
	}
}

func TestWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	f, _ := stateOf(t, goTool(t.Context(), here), "Go")
	if f.State != NoRun || !strings.Contains(f.Do, "1.26.0") {
		t.Errorf("%+v", f)
	}
	if got := raceDetector(t.Context(), here); len(got) != 0 {
		t.Errorf("the race detector is told of as well: %+v", got)
	}
	if f, _ := stateOf(t, tools(t.Context(), here), "tools"); f.State != Note || !strings.Contains(f.Seen, "git, make") {
		t.Errorf("%+v", f)
	}
}

func TestWithAnOldGo(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\necho go1.21.3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if f, _ := stateOf(t, goTool(t.Context(), here), "Go"); f.State != NoRun || f.Seen != "go1.21.3 is too old" {
		t.Errorf("%+v", f)
	}
}

func TestWithoutACompiler(t *testing.T) {
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("CC", "no-such-compiler -O2")
	if f, _ := stateOf(t, raceDetector(t.Context(), here), "race detector"); f.State != Note || !strings.Contains(f.Seen, "no-such-compiler") {
		t.Errorf("%+v", f)
	}
	t.Setenv("CGO_ENABLED", "0")
	if f, _ := stateOf(t, raceDetector(t.Context(), here), "race detector"); f.State != Note || !strings.Contains(f.Seen, "CGO_ENABLED=0") {
		t.Errorf("%+v", f)
	}
}

func TestWithoutDocker(t *testing.T) {
	t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
	f, _ := stateOf(t, docker(t.Context(), here), "Docker")
	if f.State != NoProof || !strings.Contains(f.Seen, "/nowhere/docker.sock") {
		t.Errorf("%+v", f)
	}
}

// An image that nobody has is found out without pulling it.
func TestWithoutAnImage(t *testing.T) {
	if f, _ := stateOf(t, docker(t.Context(), here), "Docker"); f.State != OK {
		t.Skip(f.Seen)
	}
	t.Setenv("HARNESS_REDIS_IMAGE", "127.0.0.1:1/no/such-image:1")
	t.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true")
	f, ok := stateOf(t, docker(t.Context(), here), "image")
	if !ok || f.State != NoProof || !strings.Contains(f.Seen, "127.0.0.1:1/no/such-image:1") || !strings.Contains(f.Do, "make redis-image") {
		t.Errorf("%+v", f)
	}
}

func TestFoldersOfKilledRuns(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	old, young := filepath.Join(temp, "importer-harness-1"), filepath.Join(temp, "importer-harness-2")
	for _, dir := range []string{old, young} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * leftAfter)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	f, _ := stateOf(t, folders(context.Background(), here), "folders")
	if f.State != Note || f.Do != "rm -r "+old {
		t.Errorf("%+v", f)
	}
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	if f, _ := stateOf(t, folders(context.Background(), here), "folders"); f.State != OK {
		t.Errorf("%+v", f)
	}
}
