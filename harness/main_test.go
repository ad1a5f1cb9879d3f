package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// here is the workbook itself, found before a test goes elsewhere.
var here, _ = filepath.Abs("..")

// called calls the program as from a shell in dir.
func called(t *testing.T, dir string, args ...string) (status int, stdout, message string) {
	t.Helper()
	t.Chdir(dir)
	var out bytes.Buffer
	command := root()
	command.SetArgs(args)
	command.SetOut(&out)
	command.SetErr(&bytes.Buffer{})
	err := command.ExecuteContext(context.Background())
	if err != nil {
		message = err.Error()
	}
	return exitStatus(err), out.String(), message
}

// workbookOf makes a workbook with stage 08 alone.
func workbookOf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const folder = "stages/08-idempotent-apply"
	if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(here, folder))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("go 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Wrong usage is one line that names the thing, the value and what is allowed.
func TestWrongUsage(t *testing.T) {
	book := workbookOf(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"fly"}, `"fly"`},
		{[]string{"run"}, "name a stage: 05, 06, 07, 08"},
		{[]string{"run", "8"}, `no stage "8"; the stages are 05, 06, 07, 08`},
		{[]string{"run", "08", "08"}, "named twice"},
		{[]string{"run", "08", "--wings"}, "--wings"},
		{[]string{"run", "08", "--seed", "x"}, "seed"},
		{[]string{"run", "08", "--engine", "steam"}, "steam"},
		{[]string{"run", "08", "--engine", "url"}, "--redis-url go together"},
		{[]string{"run", "08", "--redis-url", "redis://h"}, "--redis-url go together"},
		{[]string{"run", "08", "--engine", "url", "--redis-url", "http://h"}, "--redis-url"},
		{[]string{"run", "08", "--engine", "miniredis", "--i-may-flush"}, "--engine url only"},
		{[]string{"run", "08", "--only", "batch-ba"}, `"batch-ba": allowed are batch-ab`},
		{[]string{"run", "08", "--only", ""}, "names nothing"},
		{[]string{"run", "08", "--json", "/nowhere/at/all.json"}, "/nowhere/at/all.json"},
		{[]string{"checklist", "08"}, `no argument "08"`},
		{[]string{"map"}, "name a stage: 05, 06, 07, 08"},
		{[]string{"map", "08", "07"}, "one stage is wanted, not 2"},
		{[]string{"map", "08", "--cells", "07/k1"}, `"07/k1": allowed are cells of stage 08`},
		{[]string{"map", "08", "--cells", "08/x1"}, "k1, k2, ... of a worker"},
		{[]string{"map", "08", "--cells", "08/k1/freeze+k2/freeze"}, "add --pairs"},
		{[]string{"map", "08", "--svg", "/nowhere/at/all.svg"}, "/nowhere/at/all.svg"},
		{[]string{"replay"}, "name one cell"},
		{[]string{"replay", "08/k1/hail"}, `"hail" at command k1: allowed are cut-before`},
		{[]string{"replay", "09/k1/freeze"}, `no stage "09"`},
		{[]string{"replay", "/nowhere/at/all.json"}, "/nowhere/at/all.json"},
		{[]string{"storm", "05"}, "stage 05 has no worker"},
		{[]string{"storm", "08", "--batches", "0"}, "--batches 0: allowed are 1 to 2000"},
		{[]string{"storm", "08", "--batches", "5", "--faults", "6"}, "--faults 6: allowed are 1 to 5"},
	} {
		status, _, message := called(t, book, c.args...)
		if status != 2 || !strings.Contains(message, c.want) || strings.Contains(message, "\n") {
			t.Errorf("%v: status %d, %q; want 2 and %q on one line", c.args, status, message, c.want)
		}
	}
	if status, _, message := called(t, t.TempDir(), "run", "08"); status != 2 || !strings.Contains(message, "workbook") {
		t.Errorf("outside of a workbook: %d %q", status, message)
	}
}

// Who asks for a container must not get anything else.
func TestNoDocker(t *testing.T) {
	t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
	status, _, message := called(t, workbookOf(t), "run", "08", "--engine", "container")
	if status != 3 || !strings.Contains(message, "Docker") || strings.Contains(message, "\n") {
		t.Errorf("status %d, %q; want 3 and one line about Docker", status, message)
	}
}

// The checklist from the first run to a changed source, without Docker.
func TestTheLifeOfAChecklist(t *testing.T) {
	t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
	book := workbookOf(t)
	read := func() string {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(book, "CHECKLIST.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	row := func(want string) {
		t.Helper()
		if !strings.Contains(read(), "| 08 idempotent-apply | `"+want+"` |") {
			t.Errorf("want %q for stage 08 in\n%s", want, read())
		}
	}
	must := func(want int, args ...string) string {
		t.Helper()
		status, stdout, message := called(t, book, args...)
		if status != want {
			t.Fatalf("%v: status %d (%s), want %d\n%s", args, status, message, want, stdout)
		}
		return stdout
	}

	must(1, "checklist", "--check") // there is none
	must(0, "checklist")
	row("not_run (never run)")

	report := must(0, "run", "08")
	for _, want := range []string{"20/8/4", "32/13/8", "rehearsed on miniredis only: Docker not reachable", "evidence"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	row("not_run (rehearsed on miniredis only)")
	must(0, "checklist", "--check")
	first := read()
	must(0, "run", "08")
	if read() != first {
		t.Error("a second run changed the checklist")
	}

	script := filepath.Join(book, "stages/08-idempotent-apply/lua/apply.lua")
	content, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, append(content, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	must(1, "checklist", "--check")
	must(0, "checklist")
	row("not_run (sources changed since)")
	must(0, "checklist", "--check")

	if err := os.WriteFile(filepath.Join(book, "CHECKLIST.md"), []byte(strings.Replace(read(), "not_run (sources changed since)", "run", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	must(1, "checklist", "--check")
}

// A stage that does not build, or does not start, is told once and is broken.
func TestAStageThatCannotBegin(t *testing.T) {
	for name, main := range map[string]string{
		"the stage does not build":     "package main\n\nfunc main() { nonsense }\n",
		"the server does not start":    "package main\n\nfunc main() { panic(\"out of order\") }\n",
		"the server does not start, 2": "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n",
	} {
		book := workbookOf(t)
		dir := filepath.Join(book, "stages/08-idempotent-apply")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, content := range map[string]string{"main.go": main, "go.mod": "module example.com/importer/stages/08\n\ngo 1.26\n"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		status, stdout, message := called(t, book, "run", "08", "--engine", "miniredis")
		what := strings.TrimSuffix(name, ", 2")
		if status != 1 || strings.Count(stdout, what) < 1 || strings.Count(stdout, "\n") > 40 {
			t.Errorf("%s: status %d (%s)\n%s", name, status, message, stdout)
		}
	}
}
