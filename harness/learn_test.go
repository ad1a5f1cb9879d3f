package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// classroom is a workbook to learn in: stages 07 and 08, lessons and data.
func classroom(t *testing.T) string {
	t.Helper()
	book := workbookOf(t)
	for _, folder := range []string{"stages/07-retries", "lessons", "data"} {
		if err := os.CopyFS(filepath.Join(book, folder), os.DirFS(filepath.Join(here, folder))); err != nil {
			t.Fatal(err)
		}
	}
	return book
}

// answered is called with somebody at the terminal.
func answered(t *testing.T, dir, answer string, args ...string) (status int, stdout, message string) {
	t.Helper()
	t.Chdir(dir)
	var out bytes.Buffer
	command := root()
	command.SetArgs(args)
	command.SetIn(strings.NewReader(answer))
	command.SetOut(&out)
	command.SetErr(&bytes.Buffer{})
	err := command.ExecuteContext(t.Context())
	if err != nil {
		message = err.Error()
	}
	return exitStatus(err), out.String(), message
}

// must is called where a status is expected.
func must(t *testing.T, want int, dir string, args ...string) (stdout, message string) {
	t.Helper()
	status, stdout, message := called(t, dir, args...)
	if status != want {
		t.Fatalf("%v: status %d (%s), want %d\n%s", args, status, message, want, stdout)
	}
	return stdout, message
}

func TestWrongUsageOfTheLearnersCommands(t *testing.T) {
	book := classroom(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"start"}, "name a stage"},
		{[]string{"start", "09"}, `"09"`},
		{[]string{"start", "08", "07"}, `"07" is one too many`},
		{[]string{"start", "08", "--reset", "apply.go"}, "there is no work/08"},
		{[]string{"watch", "08", "--dir", "nowhere"}, `"nowhere"`},
		{[]string{"watch", "08", "--only", "nothing"}, `"nothing"`},
		{[]string{"watch", "08", "--engine", "url"}, "--redis-url go together"},
		{[]string{"play", "08", "--dir", "nowhere"}, `"nowhere"`},
		{[]string{"run", "08", "--dir", "nowhere"}, `"nowhere"`},
		{[]string{"map", "08", "--dir", "nowhere"}, `"nowhere"`},
		{[]string{"storm", "08", "--dir", "nowhere"}, `"nowhere"`},
		{[]string{"replay", "08/k3/freeze", "--dir", "nowhere"}, `"nowhere"`},
		{[]string{"run", "07", "08", "--dir", "stages"}, "2 are named"},
		{[]string{"hint", "08"}, "has not been run yet"},
		{[]string{"hint", "07", "quantity-limit"}, `stage 07 has no scenario or promise "quantity-limit"; it has batch-ab`},
		{[]string{"hint", "08", "batch-ab", "--level", "4"}, "1 to 3"},
		{[]string{"progress", "08"}, `no argument "08"`},
		{[]string{"doctor", "08"}, `no argument "08"`},
	} {
		status, _, message := called(t, book, c.args...)
		if status != 2 || !strings.Contains(message, c.want) || strings.Contains(message, "\n") {
			t.Errorf("%v: status %d, %q; want 2 and %q on one line", c.args, status, message, c.want)
		}
	}
}

func TestStartTellsWhatIsToDo(t *testing.T) {
	book := classroom(t)
	stdout, _ := must(t, 0, book, "start", "08")
	const want = `work/08 is made. It compiles, and there are 7 things to do in it:

  08.1  work/08/apply.go:23       name the mark of a batch
  08.2  work/08/apply.go:26       make a fingerprint of the rows
  08.3  work/08/apply.go:30       call the script instead of the loop below
  08.4  work/08/apply.go:34       read its answer
  08.5  work/08/lua/apply.lua:24  read the mark first
  08.6  work/08/lua/apply.lua:28  compute first
  08.7  work/08/lua/apply.lua:32  write after

  lessons/08-idempotent-apply.md   explains them
  make watch-08   runs the stage whenever you save
  make hint-08    helps, a little at a time
`
	if diff := cmp.Diff(want, stdout); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, message := must(t, 2, book, "start", "08"); !strings.Contains(message, "nothing is written over") {
		t.Errorf("a second time: %q", message)
	}
}

func TestResetAsksFirst(t *testing.T) {
	book := classroom(t)
	must(t, 0, book, "start", "08")
	script := filepath.Join(book, "work/08/lua/apply.lua")
	begin, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	const mine = "-- mine\n"
	write := func() {
		t.Helper()
		if err := os.WriteFile(script, []byte(mine), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	content := func() string {
		t.Helper()
		content, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	reset := []string{"start", "08", "--reset", "lua/apply.lua"}
	if _, stdout, _ := answered(t, book, "", reset...); strings.Contains(stdout, "[y/N]") {
		t.Errorf("an unchanged file is asked for: %q", stdout)
	}
	for _, answer := range []string{"", "\n", "n\n", "no\n", "what?\n"} {
		write()
		status, stdout, message := answered(t, book, answer, reset...)
		if status != 0 || !strings.Contains(stdout, "[y/N]") || !strings.Contains(stdout, "stays as it is") || content() != mine {
			t.Errorf("answer %q: status %d %q\n%s%s", answer, status, message, stdout, content())
		}
	}
	if status, _, message := answered(t, book, "y\n", reset...); status != 0 || content() != string(begin) {
		t.Errorf("answer y: status %d %q\n%s", status, message, content())
	}
	write()
	if status, _, message := answered(t, book, "", append(reset, "--yes")...); status != 0 || content() != string(begin) {
		t.Errorf("--yes: status %d %q\n%s", status, message, content())
	}
	if status, _, message := answered(t, book, "y\n", "start", "08", "--reset", "../../go.work"); status != 2 || !strings.Contains(message, "lua/apply.lua") {
		t.Errorf("a file of others: status %d %q", status, message)
	}
	// Without a terminal there is nobody to ask.
	write()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	command := root()
	command.SetArgs(reset)
	command.SetIn(null)
	command.SetOut(&bytes.Buffer{})
	if err := command.ExecuteContext(t.Context()); !errors.Is(err, errUsage) || !strings.Contains(err.Error(), "--yes") || content() != mine {
		t.Errorf("without a terminal: %v\n%s", err, content())
	}
}

// The way of a learner from the start to the end of a stage, on the imitation.
func TestTheWayThroughAStage(t *testing.T) {
	t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
	book := classroom(t)
	must(t, 0, book, "checklist")
	checklist, err := os.ReadFile(filepath.Join(book, "CHECKLIST.md"))
	if err != nil {
		t.Fatal(err)
	}
	progress := func(want string) {
		t.Helper()
		if stdout, _ := must(t, 0, book, "progress"); !strings.Contains(stdout, "08  idempotent-apply  "+want) {
			t.Errorf("want %q in\n%s", want, stdout)
		}
	}
	hint := func(want ...string) {
		t.Helper()
		stdout, _ := must(t, 0, book, "hint", "08", "--level", "3")
		for _, w := range want {
			if !strings.Contains(stdout, w) {
				t.Errorf("want %q in\n%s", w, stdout)
			}
		}
	}

	progress("not begun: make start-08")
	must(t, 0, book, "start", "08")
	progress("begun, and not run yet: make watch-08")

	stdout, _ := must(t, 1, book, "run", "08", "--dir", "work/08")
	for _, want := range []string{"Stage 08 idempotent-apply in work/08", "run 08 --dir work/08 --only", "progress: scenarios 0 of 3, promises "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the report lacks %q:\n%s", want, stdout)
		}
	}
	hint("batch-ab: ", "\n1. ", "\n2. Look into work/08/apply.go, work/08/lua/apply.lua", `lessons/08-idempotent-apply.md, "one result"`, "\n3. ")

	apply := filepath.Join(book, "work/08/apply.go")
	if err := os.WriteFile(apply, []byte("package main\n\nfunc nonsense( {\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	progress("scenarios 0 of 3, promises ")
	stdout, _ = must(t, 1, book, "run", "08", "--dir", "work/08")
	if !strings.Contains(stdout, "\n    | ./apply.go:3") {
		t.Errorf("the compiler's lines are not lines:\n%s", stdout)
	}
	progress("the stage does not build")
	hint("the stage does not build", "apply.go:3")

	for _, name := range []string{"apply.go", "lua/apply.lua"} {
		content, err := os.ReadFile(filepath.Join(here, "stages/08-idempotent-apply", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(book, "work/08", name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, 0, filepath.Join(book, "work/08"), "run", "08", "--dir", ".") // from where one works
	progress("scenarios 3 of 3, promises ")
	hint("Nothing was broken")

	stdout, _ = must(t, 0, book, "map", "08", "--dir", "work/08", "--cells", "08/k3/cut-after")
	if want := "Fault map of stage 08 idempotent-apply in work/08 on "; !strings.Contains(stdout, want) {
		t.Errorf("the map lacks %q:\n%s", want, stdout)
	}

	// A part of it says nothing about the whole.
	must(t, 0, book, "run", "08", "--dir", "work/08", "--only", "seed")
	progress("scenarios 3 of 3, promises ")

	if now, err := os.ReadFile(filepath.Join(book, "CHECKLIST.md")); err != nil || !bytes.Equal(now, checklist) {
		t.Errorf("the checklist, which is about the reference, has changed (%v)", err)
	}

	for _, file := range []string{"work/progress.json", ".build/last/08.json"} {
		if err := os.WriteFile(filepath.Join(book, file), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, message := must(t, 3, book, "progress"); !strings.Contains(message, "work/progress.json") || !strings.Contains(message, "remove it") {
		t.Errorf("a file that cannot be read: %q", message)
	}
	if _, message := must(t, 3, book, "hint", "08"); !strings.Contains(message, ".build/last/08.json") {
		t.Errorf("results that cannot be read: %q", message)
	}
	must(t, 0, book, "run", "08", "--dir", "work/08", "--only", "seed") // is no reason not to run
}

func TestHint(t *testing.T) {
	book := classroom(t)
	stage := results.Stage{ID: "08", Dir: "work/08", Promises: []results.Promise{{
		Name: "quantity-limit", Verdict: results.Broken,
		Findings: []results.Finding{{Expected: "lamp 8", Seen: "lamp 20", Rule: matrix.ComputeFirst.Sentence}},
	}}}
	if err := workbook(book).saveLast(results.Results{Format: results.Format, Stages: []results.Stage{stage}}); err != nil {
		t.Fatal(err)
	}
	const (
		head = `quantity-limit: a shipment over the limit of one product is refused and leaves nothing behind
  expected: lamp 8
  seen:     lamp 20
  rule:     Everything is checked and computed before the first write, because Redis takes no write back.

1. The third row cannot be added. What has happened to the first two by then, and who will take it back?
`
		look = `
2. Look into work/08/lua/apply.lua, work/08/apply.go, and read lessons/08-idempotent-apply.md, "compute first write after".
   Look for a write that comes before the last check. Redis isolates a script and does not roll it back; TYPE, GET and HGET can find out everything beforehand.
`
	)
	for level, want := range map[string]string{
		"1": head + "\nMore: .build/harness hint 08 quantity-limit --level 2\n",
		"2": head + look + "\nMore: .build/harness hint 08 quantity-limit --level 3\n",
	} {
		stdout, _ := must(t, 0, book, "hint", "08", "--level", level)
		if diff := cmp.Diff(want, stdout); diff != "" {
			t.Errorf("level %s (-want +got):\n%s", level, diff)
		}
	}
	gap := results.Stage{ID: "07", Cells: []results.Cell{{Scenario: matrix.BatchAB, Verdict: results.Gap, See: "06-worker.md#a-job-id-forgets"}}}
	if err := workbook(book).saveLast(results.Results{Format: results.Format, Stages: []results.Stage{gap}}); err != nil {
		t.Fatal(err)
	}
	const known = "Nothing was broken when stage 07 was run last.\nbatch-ab has the gap of this stage, which lessons/06-worker.md, \"a job id forgets\" explains.\n"
	if stdout, _ := must(t, 0, book, "hint", "07"); stdout != known {
		t.Errorf("a stage with a gap:\n%s", stdout)
	}
	// What held, or was not run, can be asked about as well.
	if stdout, _ := must(t, 0, book, "hint", "08", "seed"); !strings.HasPrefix(stdout, "seed: seed writes") || strings.Contains(stdout, "seen:") {
		t.Errorf("about seed:\n%s", stdout)
	}
}

// screen is a writer whose reader can wait for words.
type screen struct {
	mu   sync.Mutex
	text string
	more chan struct{} // closed and made anew with each text
	over chan struct{} // closed when nobody writes any more
	err  error         // how the writer ended; set before over closes
}

func newScreen() *screen { return &screen{more: make(chan struct{}), over: make(chan struct{})} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text += string(p)
	close(s.more)
	s.more = make(chan struct{})
	return len(p), nil
}

// await returns what came after the last call, up to and with the words.
func (s *screen) await(t *testing.T, words string) string {
	t.Helper()
	for over := false; ; {
		s.mu.Lock()
		before, after, found := strings.Cut(s.text, words)
		more := s.more
		if found {
			s.text = after
		}
		s.mu.Unlock()
		if found {
			return before + words
		}
		if over {
			t.Fatalf("it ended (%v) before %q:\n%s", s.err, words, before)
		}
		select {
		case <-more:
		case <-s.over: // once more: the last words may have come just before
			over = true
		}
	}
}

// watched calls a command that goes on, and returns how to end it.
func watched(t *testing.T, dir string, args ...string) (out *screen, end func() int) {
	t.Helper()
	t.Chdir(dir)
	out = newScreen()
	ctx, cancel := context.WithCancel(t.Context())
	command := root()
	command.SetArgs(args)
	command.SetOut(out)
	command.SetErr(newScreen())
	go func() {
		defer close(out.over)
		out.err = command.ExecuteContext(ctx)
	}()
	end = func() int {
		cancel()
		<-out.over
		return exitStatus(out.err)
	}
	t.Cleanup(func() { end() })
	return out, end
}

func TestWatchRunsOnSave(t *testing.T) {
	book := classroom(t)
	must(t, 0, book, "start", "08")
	out, end := watched(t, book, "watch", "08", "--engine", "miniredis", "--only", "batch-ab")
	const waiting = "Waiting for a change in work/08; Ctrl-C ends.\n"
	if got := out.await(t, waiting); !strings.Contains(got, "broken: batch-ab") || !strings.Contains(got, "help:   .build/harness hint 08 batch-ab") {
		t.Errorf("at the start:\n%s", got)
	}
	apply := filepath.Join(book, "work/08/apply.go")
	if err := os.WriteFile(apply, []byte("package main\n\nfunc nonsense( {\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := out.await(t, waiting); !strings.Contains(got, "\n  work/08/apply.go:3:") {
		t.Errorf("a program that does not build:\n%s", got)
	}
	for _, name := range []string{"apply.go", "lua/apply.lua"} {
		content, err := os.ReadFile(filepath.Join(here, "stages/08-idempotent-apply", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(book, "work/08", name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// On a slow machine a round may have begun between the two.
	for !strings.Contains(out.await(t, waiting), "Nothing is broken") {
	}
	if status := end(); status != 0 {
		t.Errorf("it ended with %d", status)
	}
}

// In containers: what watch and play have started is gone when they are.
func TestNothingIsLeft(t *testing.T) {
	if err := enginetest.Container(t).Close(); err != nil { // skips where there is none
		t.Fatal(err)
	}
	book := classroom(t)
	// One of them kills a server of its own.
	out, end := watched(t, book, "watch", "08", "--engine", "container", "--only", "batch-ab,redis-killed")
	if got := out.await(t, "Ctrl-C ends.\n"); !strings.Contains(got, "in stages/08-idempotent-apply") || !strings.Contains(got, "promises: 1 of 1 held") {
		t.Errorf("watch, without a folder in work/:\n%s", got)
	}
	for _, again := range []string{"-- one\n", "-- two\n"} { // the engine stays
		script := filepath.Join(book, "stages/08-idempotent-apply/lua/leave.lua")
		content, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(script, append(content, again...), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := out.await(t, "Ctrl-C ends.\n"); !strings.Contains(got, "promises: 1 of 1 held") {
			t.Errorf("once more:\n%s", got)
		}
	}
	if status := end(); status != 0 {
		t.Errorf("watch ended with %d", status)
	}
	out, end = watched(t, book, "play", "08", "--engine", "container")
	out.await(t, "Ctrl-C ends all of them.")
	if status := end(); status != 0 {
		t.Errorf("play ended with %d", status)
	}
	if left, err := engine.Leftovers(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("left: %q %v", left, err)
	}
}

func TestPlayWithWhatDoesNotStart(t *testing.T) {
	book := classroom(t)
	main := filepath.Join(book, "stages/08-idempotent-apply/main.go")
	if err := os.WriteFile(main, []byte("package main\n\nfunc main() { nonsense }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if stdout, _ := must(t, 1, book, "play", "08", "--engine", "miniredis"); !strings.Contains(stdout, "does not build") {
		t.Errorf("%s", stdout)
	}
}

func TestDoctor(t *testing.T) {
	book := classroom(t)
	t.Setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
	if stdout, _ := must(t, 0, book, "doctor"); !strings.Contains(stdout, "can be rehearsed here") {
		t.Errorf("without Docker:\n%s", stdout)
	}
	t.Setenv("PATH", t.TempDir())
	if stdout, _ := must(t, 3, book, "doctor"); !strings.Contains(stdout, "no go on PATH → install Go 1.26") {
		t.Errorf("without Go:\n%s", stdout)
	}
}

func TestCompletion(t *testing.T) {
	book := classroom(t)
	for _, c := range []struct {
		args      []string
		want, not string
	}{
		{[]string{"run", ""}, "06\tworker\n", "batch-ab"},
		{[]string{"run", "06", ""}, "07\t", "06\t"},
		{[]string{"run", "06", "--only", ""}, "batch-ab\t", "quantity-limit"},
		{[]string{"start", "08", "--reset", ""}, "lua/apply.lua\tto do\n", "apply_test.go"},
		{[]string{"hint", "08", ""}, "quantity-limit\t", "06\t"},
		{[]string{"watch", ""}, "08\tidempotent-apply\n", "batch-ab"},
		{[]string{"play", "08", "--engine", ""}, "miniredis\n", "08"},
	} {
		stdout, _ := must(t, 0, book, append([]string{"__complete"}, c.args...)...)
		if !strings.Contains(stdout, c.want) || strings.Contains(stdout, c.not) {
			t.Errorf("%q completes to %q; want %q and not %q", c.args, stdout, c.want, c.not)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if stdout, _ := must(t, 0, book, "completion", shell); !strings.Contains(stdout, "harness") {
			t.Errorf("%s: %q", shell, stdout)
		}
	}
}
