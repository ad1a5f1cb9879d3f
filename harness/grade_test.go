package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"example.com/importer/harness/results"
)

// builtHarness is the harness as a program, for what only a process of its own shows.
func builtHarness(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "harness")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".")
	build.Dir = filepath.Join(here, "harness")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the harness: %v\n%s", err, output)
	}
	return path
}

// submissionOf makes a folder with these files.
func submissionOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const goMod = "module example.com/submission\n\ngo 1.26\n"

// A submission finds no token of the grader, its words pass for nobody else's, and what
// it leaves behind is ended.
func TestAHostileSubmission(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("what it tries needs Linux")
	}
	source, err := os.ReadFile("testdata/hostile/main.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	notes, faces := filepath.Join(t.TempDir(), "notes"), t.TempDir()
	dir := submissionOf(t, map[string]string{"main.go": strings.Replace(string(source), `"NOTES"`, strconv.Quote(notes), 1), "go.mod": goMod})
	in := func(name string) string { return filepath.Join(faces, name) }
	harness := exec.CommandContext(t.Context(), builtHarness(t), "grade", "--stage", "08", dir, "--engine", "miniredis",
		"--json", in("results.json"), "--junit", in("junit.xml"))
	harness.Env = append(os.Environ(), "SECRET_TOKEN=open-sesame", "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+in("summary.md"))
	harness.Dir = faces
	stdout, err := harness.Output()
	if status := harness.ProcessState.ExitCode(); status != 1 {
		t.Fatalf("status %d (%v), want 1\n%s", status, err, stdout)
	}

	found, err := os.ReadFile(notes)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(found), "open-sesame") {
		t.Errorf("the submission has found the token:\n%s", found)
	}
	if !strings.Contains(string(found), `parent "`) || !strings.Contains(string(found), "own ") {
		t.Errorf("the submission has not looked for a token:\n%s", found)
	}
	daemons := regexp.MustCompile(`(?m)^daemon (\d+)$`).FindAllStringSubmatch(string(found), -1)
	if len(daemons) < 2 {
		t.Errorf("the submission has started %d daemons, want 2:\n%s", len(daemons), found)
	}
	for _, daemon := range daemons {
		pid, _ := strconv.Atoi(daemon[1])
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("daemon %d is still there", pid)
		}
	}

	// What the submission says stands behind a bar, or inside of one of our lines.
	commands := false
	for line := range strings.Lines(string(stdout)) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "::stop-commands::"):
			commands = true
		case strings.HasPrefix(trimmed, "::error title=stage 08"):
		case strings.HasPrefix(trimmed, "::") && len(trimmed) == 30: // the word that lets GitHub listen again
			commands = false
		case strings.HasPrefix(trimmed, "::"), strings.HasPrefix(trimmed, "##["), trimmed == "stage 08: run", strings.HasPrefix(trimmed, "points: 1000"):
			t.Errorf("a forged line: %q", line)
		case strings.Contains(line, "##[") && !commands:
			t.Errorf("a command among what GitHub listens to: %q", line)
		}
		if strings.ContainsAny(line, "\x1b\r") {
			t.Errorf("a line that steers the terminal: %q", line)
		}
	}
	for _, name := range []string{"results.json", "junit.xml", "summary.md"} {
		content, err := os.ReadFile(in(name))
		if err != nil || len(content) == 0 {
			t.Errorf("%s: %d bytes (%v)", name, len(content), err)
		}
	}
	var r results.Results
	content, _ := os.ReadFile(in("results.json"))
	if err := json.Unmarshal(content, &r); err != nil || r.Format != results.Format || r.Stages[0].Kind != results.NeverListened {
		t.Errorf("results.json: %v, format %q, kind %q", err, r.Format, r.Stages[0].Kind)
	}
	junit, _ := os.Open(in("junit.xml"))
	defer junit.Close()
	decoder := xml.NewDecoder(junit)
	for {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("junit.xml: %v", err)
		}
	}
}

// Each sort of trouble has a name and an exit status of its own.
func TestKindsOfFailure(t *testing.T) {
	program := func(body string) map[string]string {
		return map[string]string{"go.mod": goMod, "main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n\t\"time\"\n)\n\nfunc main() {\n" + body + "\n}\n\nvar _, _, _ = fmt.Print, os.Exit, time.Sleep\n"}
	}
	link := submissionOf(t, map[string]string{"go.mod": goMod})
	if err := os.Symlink("/etc/passwd", filepath.Join(link, "main.go")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		dir    string
		status int
		kind   results.Kind
		says   string
	}{
		{"does not build", submissionOf(t, program("nonsense")), 1, results.BuildFailure, "undefined: nonsense"},
		{"no program", submissionOf(t, map[string]string{"README": ""}), 1, results.BuildFailure, "no go.mod"},
		{"a link", link, 1, results.BuildFailure, "main.go is a symbolic link"},
		{"crash", submissionOf(t, program(`fmt.Fprintln(os.Stderr, "out of order"); os.Exit(7)`)), 1, results.Crash, "exited with status 7"},
		{"wrong line", submissionOf(t, program(`fmt.Println("ready"); time.Sleep(time.Minute)`)), 1, results.NeverListened, `"ready"`},
		{"bad manifest", submissionOf(t, map[string]string{"importer.json": `{"serve":"run"}`}), 1, results.BuildFailure, `field "serve" is "run"; allowed is a list of words`},
		{"no such tool", submissionOf(t, map[string]string{"importer.json": `{"serve":["no-such-tool"],"work":["a"],"seed":["a"],"enqueue":["a"]}`}), 3, "", "not installed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "results.json")
			status, stdout, message := called(t, t.TempDir(), "grade", "--stage", "08", c.dir, "--engine", "miniredis", "--json", file)
			if status != c.status || !strings.Contains(stdout+message, c.says) {
				t.Errorf("status %d, want %d with %q\n%s%s", status, c.status, c.says, stdout, message)
			}
			if c.kind == "" {
				return
			}
			var r results.Results
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(content, &r); err != nil || r.Stages[0].Kind != c.kind {
				t.Errorf("%v, kind %q, want %q", err, r.Stages[0].Kind, c.kind)
			}
		})
	}
}

// Hidden grading tells which rule was broken, and nothing about the data.
func TestRuleOnly(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(here, "stages/07-retries"))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "junit.xml")
	status, stdout, message := called(t, t.TempDir(), "grade", "--stage", "08", dir, "--engine", "miniredis",
		"--only", "batch-ab,any-order", "--show", "rule-only", "--seed", "4711", "--junit", file)
	if status != 1 {
		t.Fatalf("status %d (%s), want 1: stage 07 is no stage 08\n%s", status, message, stdout)
	}
	junit, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for face, text := range map[string]string{"terminal": stdout, "JUnit": string(junit)} {
		if !strings.Contains(text, "an arrival is added to stock once") {
			t.Errorf("%s does not name the rule:\n%s", face, text)
		}
		for _, hidden := range []string{"20/8/4", "32/13/8", "4711", "shipment-", "expected:", "seen:"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s shows %q:\n%s", face, hidden, text)
			}
		}
	}
	if !strings.Contains(stdout, "points: ") {
		t.Errorf("the points are missing:\n%s", stdout)
	}
}

// The same seed gives the same data, and the seed is told.
func TestSeedIsToldAndReplays(t *testing.T) {
	line := regexp.MustCompile(`(?m)^ *A +20/8/4 +(\S+)`)
	data := map[string]bool{}
	for _, seed := range []string{"11", "11", "12"} {
		_, stdout, _ := called(t, t.TempDir(), "grade", "--stage", "08", filepath.Join(here, "stages/08-idempotent-apply"),
			"--engine", "miniredis", "--only", "batch-ab", "--seed", seed)
		match := line.FindStringSubmatch(stdout)
		if match == nil || !strings.Contains(stdout, "seed:   "+seed+"\n") {
			t.Fatalf("no row of the seeded data, or no seed:\n%s", stdout)
		}
		data[match[1]] = true
	}
	if len(data) != 2 {
		t.Errorf("two seeds gave %d sets of data: %v", len(data), data)
	}
}

// Usage of grade is checked before anything is built.
func TestWrongUsageOfGrade(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "points.csv")
	if err := os.WriteFile(table, []byte("check,required,05,06,07,08\nbatch-ab,yes,10,10,10,many\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"grade", "--stage", "08"}, "takes one folder"},
		{[]string{"grade", dir}, `--stage "": allowed are 05, 06, 07 and 08`},
		{[]string{"grade", "--stage", "8", dir}, `--stage "8"`},
		{[]string{"grade", "--stage", "08", dir + "/nowhere"}, `nowhere": there is no such folder`},
		{[]string{"grade", "--stage", "08", table}, "there is no such folder"},
		{[]string{"grade", "--stage", "08", dir, "--show", "all"}, `--show "all": allowed are full and rule-only`},
		{[]string{"grade", "--stage", "08", dir, "--points", table}, `line 2: "many" points for stage 08`},
		{[]string{"grade", "--stage", "08", dir, "--only", "batch-ba"}, `"batch-ba"`},
		{[]string{"grade", "--stage", "08", dir, "--junit", "/nowhere/at/all.xml"}, "--junit"},
	} {
		status, _, message := called(t, dir, c.args...)
		if status != 2 || !strings.Contains(message, c.want) || strings.Contains(message, "\n") {
			t.Errorf("%v: status %d, %q; want 2 and %q on one line", c.args, status, message, c.want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("importer-grade-%d*", os.Getpid()))); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
