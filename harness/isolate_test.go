package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/moby/moby/client"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner/patched"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/harness/world/isolate"
)

// docker is the engine, or the end of the test where there is none.
func docker(t *testing.T) *engine.Docker {
	t.Helper()
	d, err := engine.ReachDocker(t.Context(), func(string) {})
	enginetest.SkipWithout(t, err)
	t.Cleanup(func() { d.Close() })
	return d
}

// grading calls a harness that was built as `make` builds it.
type grading struct {
	harness string
	temp    string // its TMPDIR, which it must leave empty
}

// grade grades a folder with --isolate and returns the exit status and what was found.
func (g grading) grade(t *testing.T, stage, dir string, args ...string) (int, results.Stage, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "results.json")
	command := exec.CommandContext(t.Context(), g.harness, append([]string{"grade", "--isolate", "--stage", stage, "--json", file, "--seed", "42", dir}, args...)...)
	command.Env = append(os.Environ(), "TMPDIR="+g.temp)
	said, _ := command.CombinedOutput()
	var found results.Results
	content, err := os.ReadFile(file)
	if err == nil && len(content) > 0 {
		err = json.Unmarshal(content, &found)
		if err == nil && found.Isolation == nil {
			t.Error("results.json does not say that the programs were isolated")
		}
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if left, _ := os.ReadDir(g.temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if len(found.Stages) == 0 {
		return command.ProcessState.ExitCode(), results.Stage{}, string(said)
	}
	return command.ProcessState.ExitCode(), found.Stages[0], string(said)
}

// These checks use every way in and out of a container: HTTP from two addresses, faults of
// Redis, freezing and killing, settings that are refused, data of a story's own.
const ways = "batch-ab,double-worker,lost-response,per-client,redis-refused,settings,bad-csv,two-servers,killed-again,hang-up,stop"

func TestIsolated(t *testing.T) {
	if testing.Short() {
		t.Skip("it grades a dozen submissions")
	}
	d := docker(t)
	g := grading{harness: filepath.Join(t.TempDir(), "harness"), temp: t.TempDir()}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", g.harness, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the harness: %v\n%s", err, output)
	}

	t.Run("the reference", func(t *testing.T) {
		status, stage, said := g.grade(t, "08", filepath.Join(here, "stages/08-idempotent-apply"), "--engine", "miniredis", "--only", ways)
		if status != 0 || len(stage.Cells)+len(stage.Promises) != strings.Count(ways, ",")+1 {
			t.Errorf("status %d, want 0\n%s", status, said)
		}
		if !strings.Contains(said, "each program isolated in a container ("+isolate.EmptyImage+")") {
			t.Errorf("the head line does not say that the programs are isolated:\n%s", said)
		}
	})

	t.Run("Python", func(t *testing.T) {
		if said, err := exec.CommandContext(t.Context(), "python-image/build.sh").CombinedOutput(); err != nil {
			if os.Getenv(enginetest.RequireVariable) == "1" {
				t.Fatalf("no image with Python: %v\n%s", err, said)
			}
			t.Skipf("no image with Python: %v\n%s", err, said)
		}
		status, _, said := g.grade(t, "08", "testdata/python", "--engine", "miniredis", "--only", "batch-ab,double-worker", "--image", "importer-python:local")
		if status != 0 {
			t.Errorf("status %d, want 0\n%s", status, said)
		}
	})

	// What is wrong is as wrong in a container.
	for _, w := range []struct{ patch, check string }{
		{"mark-in-second-command", "lost-response"}, {"random-job-id", "enqueue"}, {"finish-without-ownership", "late-refusal"},
	} {
		t.Run(w.patch, func(t *testing.T) {
			stage, _ := matrix.FindStage("08")
			root := patched.Workbook(t, here, stage, filepath.Join("runner/testdata/wrong", w.patch+".patch"))
			status, found, said := g.grade(t, "08", filepath.Join(root, "stages", stage.Folder()), "--engine", "miniredis", "--only", w.check)
			verdict := results.NotRun
			for _, cell := range found.Cells {
				verdict = cell.Verdict
			}
			for _, p := range found.Promises {
				verdict = p.Verdict
			}
			if status != 1 || verdict != results.Broken {
				t.Errorf("status %d, %s; want 1, broken\n%s", status, verdict, said)
			}
		})
	}

	for _, c := range []struct {
		name, body string
		kind       results.Kind
		says       string
	}{
		{"eats memory", "var all [][]byte\nfor {\npart := make([]byte, 16<<20)\nfor i := range part { part[i] = 1 }\nall = append(all, part)\n}", results.Crash, "out of the memory that it may use"},
		{"forks", `for { child := exec.Command("/proc/self/exe"); child.Start() }`, "", "the server does not start"},
		{"looks around", `for _, path := range []string{"/var/run/docker.sock", "/root", "/home", ` + fmt.Sprintf("%q", here) + `} { if _, err := os.ReadDir(path); err == nil { fmt.Println("found", path) } }; os.Exit(3)`, results.Crash, "exited with status 3"},
		{"calls out", `for _, addr := range []string{"172.17.0.1:22", "1.1.1.1:443"} { if _, err := net.Dial("tcp", addr); err == nil { fmt.Println("reached", addr) } else { fmt.Fprintln(os.Stderr, err) } }; os.Exit(3)`, results.Crash, "network is unreachable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := submissionOf(t, map[string]string{"go.mod": goMod, "main.go": "package main\n\nimport (\n\"fmt\"\n\"net\"\n\"os\"\n\"os/exec\"\n)\n\nfunc main() {\n" + c.body + "\n}\n\nvar _, _, _, _ = fmt.Print, net.Dial, os.Exit, exec.Command\n"})
			status, found, said := g.grade(t, "08", dir, "--engine", "miniredis")
			if status != 1 || !strings.Contains(said, c.says) || (c.kind != "" && found.Kind != c.kind) || found.Fails == "" {
				t.Errorf("status %d, kind %q; want 1, %q, %q\n%s", status, found.Kind, c.kind, c.says, said)
			}
		})
	}

	t.Run("interrupted", func(t *testing.T) { interrupted(t, d, g) })

	t.Run("without Docker", func(t *testing.T) {
		t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
		command := exec.CommandContext(t.Context(), g.harness, "grade", "--isolate", "--stage", "08", "--engine", "miniredis", "testdata/python")
		said, _ := command.CombinedOutput()
		if status := command.ProcessState.ExitCode(); status != 3 || !strings.Contains(string(said), "/nowhere/docker.sock") {
			t.Errorf("status %d, want 3\n%s", status, said)
		}
	})
}

// interrupted ends a grade in its middle: what it has started is gone when it is.
func interrupted(t *testing.T, d *engine.Docker, g grading) {
	command := exec.CommandContext(t.Context(), g.harness, "grade", "--isolate", "--stage", "08", "--engine", "miniredis", filepath.Join(here, "stages/08-idempotent-apply"))
	command.Env = append(os.Environ(), "TMPDIR="+g.temp)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	asked := false
	for lines.Scan() {
		if !asked && strings.HasSuffix(lines.Text(), ": holds") {
			asked = true
			if err := command.Process.Signal(syscall.SIGINT); err != nil {
				t.Error(err)
			}
		}
	}
	_ = command.Wait()
	if status := command.ProcessState.ExitCode(); status != 3 || !asked {
		t.Errorf("status %d, interrupted %v; want 3, true", status, asked)
	}
	if left, _ := os.ReadDir(g.temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	list, err := d.ContainerList(t.Context(), client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", engine.OwnerLabel)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Items {
		if strings.HasPrefix(c.Labels[engine.OwnerLabel], fmt.Sprintf("%d@", command.Process.Pid)) {
			t.Errorf("container %s is left", c.ID)
		}
	}
}

// What cannot be is told before anything is built.
func TestWrongUsageOfIsolate(t *testing.T) {
	dir := t.TempDir()
	status, _, message := called(t, dir, "grade", "--stage", "08", dir, "--image", "python:3.13-slim")
	if status != 2 || !strings.Contains(message, `--image "python:3.13-slim" is for --isolate only`) {
		t.Errorf("status %d, %q", status, message)
	}
}
