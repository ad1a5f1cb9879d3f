package start_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

const workbook = "../../.."

func plan(t *testing.T, stage matrix.Stage) start.Plan {
	t.Helper()
	p, err := start.NewPlan(workbook, stage)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is left to do is what the stage teaches; everything else is as the stage has it.
func TestAPlanIsTheStageWithItsLessonLeftToDo(t *testing.T) {
	for _, stage := range matrix.Stages {
		p := plan(t, stage)
		var changed []string
		for _, c := range matrix.Changes {
			if c.To == stage.ID {
				changed = c.Files
			}
		}
		var todo []string
		for _, f := range p.Files {
			if strings.HasPrefix(f.Name, "go.") {
				continue
			}
			reference, err := os.ReadFile(filepath.Join(workbook, "stages", stage.Folder(), f.Name))
			if err != nil {
				t.Fatal(err)
			}
			new := slices.Contains(changed, f.Name) || stage.ID == matrix.Stages[0].ID
			switch same := bytes.Equal(f.Content, reference); f.Origin {
			case start.ToDo:
				todo = append(todo, f.Name)
				if same || !new {
					t.Errorf("stage %s: %s is to do; as the reference: %v, new in the stage: %v", stage.ID, f.Name, same, new)
				}
			default:
				if !same || (f.Origin == start.Given) != new {
					t.Errorf("stage %s: %s is %s; as the reference: %v, new in the stage: %v", stage.ID, f.Name, f.Origin, same, new)
				}
			}
			if strings.HasSuffix(f.Name, ".go") {
				if formatted, err := format.Source(f.Content); err != nil || !bytes.Equal(formatted, f.Content) {
					t.Errorf("stage %s: %s is not as gofmt writes it: %v", stage.ID, f.Name, err)
				}
			}
		}
		if len(todo) == 0 {
			t.Errorf("stage %s leaves nothing to do", stage.ID)
		}
	}
}

// Every marker has its number, its section of the stage's own lesson, and words; every
// file that is left to do has one, and no other file has.
func TestEveryTodoLeadsIntoTheLesson(t *testing.T) {
	for _, stage := range matrix.Stages {
		p := plan(t, stage)
		files := map[string]int{}
		for i, todo := range p.Todos() {
			files[todo.File]++
			if want := fmt.Sprintf("%s.%d", stage.ID, i+1); todo.ID != want {
				t.Errorf("%s:%d is %s, want %s", todo.File, todo.Line, todo.ID, want)
			}
			if !strings.HasPrefix(todo.Lesson, stage.ID+"-") || !hasSection(t, todo.Lesson) {
				t.Errorf("%s: there is no section %s in the lesson of this stage", todo.ID, todo.Lesson)
			}
			if len(todo.What) < 8 || len(todo.What) > 60 {
				t.Errorf("%s: %q does not fit on a line", todo.ID, todo.What)
			}
		}
		for _, f := range p.Files {
			if got := bytes.Count(f.Content, []byte("TODO "+stage.ID+".")) > 0; got != (f.Origin == start.ToDo) || got != (files[f.Name] > 0) {
				t.Errorf("stage %s: %s is %s and has %d markers", stage.ID, f.Name, f.Origin, files[f.Name])
			}
		}
	}
}

func hasSection(t *testing.T, lesson string) bool {
	t.Helper()
	file, anchor, _ := strings.Cut(lesson, "#")
	content, err := os.ReadFile(filepath.Join(workbook, "lessons", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		if heading, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok &&
			strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(heading)) == anchor {
			return true
		}
	}
	return false
}

// A folder is written as a whole or not at all, and never over anything.
func TestMakeNeverOverwrites(t *testing.T) {
	p := plan(t, matrix.Stages[3])
	for name, occupy := range map[string]func(string) error{
		"an empty folder": func(dir string) error { return os.Mkdir(dir, 0o755) },
		"a file":          func(dir string) error { return os.WriteFile(dir, nil, 0o644) },
		"a broken link":   func(dir string) error { return os.Symlink("nowhere", dir) },
	} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "08")
		if err := occupy(dir); err != nil {
			t.Fatal(err)
		}
		before, err := os.Lstat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Make(dir); !errors.Is(err, start.ErrExists) {
			t.Errorf("%s in its place: %v", name, err)
		}
		if after, err := os.Lstat(dir); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s in its place is another one now: %v", name, err)
		}
		onlyEntry(t, parent, "08")
	}
}

func TestMakeLeavesNothingHalfDone(t *testing.T) {
	p := plan(t, matrix.Stages[3])
	p.Files = append(p.Files, start.File{Name: "apply.go/inside"}) // a file is no folder
	parent := t.TempDir()
	if err := p.Make(filepath.Join(parent, "08")); err == nil {
		t.Error("it was made")
	}
	onlyEntry(t, parent)
}

func onlyEntry(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in the folder above (-want +got):\n%s", diff)
	}
}

func TestResetTouchesOneFile(t *testing.T) {
	p := plan(t, matrix.Stages[3])
	dir := filepath.Join(t.TempDir(), "work", "08")
	if err := p.Make(dir); err != nil {
		t.Fatal(err)
	}
	mine := map[string]string{"apply.go": "package main // mine\n", "lua/apply.lua": "-- mine\n", "extra.go": "package main\n"}
	for name, content := range mine {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "lua")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"extra.go", "../08/apply.go", "/etc/passwd", ""} {
		if err := p.Reset(dir, name); !errors.Is(err, start.ErrNoFile) || !strings.Contains(err.Error(), "lua/apply.lua") {
			t.Errorf("reset %q: %v", name, err)
		}
	}
	if changed, err := p.Changed(dir, "worker.go"); changed || err != nil {
		t.Errorf("worker.go changed: %v %v", changed, err)
	}
	if changed, err := p.Changed(dir, "lua/apply.lua"); !changed || err != nil {
		t.Errorf("lua/apply.lua, which is gone, changed: %v %v", changed, err)
	}
	if err := p.Reset(dir, "lua/apply.lua"); err != nil {
		t.Fatal(err)
	}
	if changed, err := p.Changed(dir, "lua/apply.lua"); changed || err != nil {
		t.Errorf("lua/apply.lua after its reset: %v %v", changed, err)
	}
	for name, want := range map[string]string{"apply.go": mine["apply.go"], "extra.go": mine["extra.go"]} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	onlyEntry(t, filepath.Join(dir, "lua"), "apply.lua")
}

// A start is no solution, and the harness says so: it builds, and its scenarios do not
// all come out as declared.
func TestAStartCompilesAndDoesNotPass(t *testing.T) {
	redis := enginetest.Miniredis(t)
	var scenarios []string
	for _, s := range matrix.Scenarios {
		scenarios = append(scenarios, s.Name)
	}
	for _, stage := range matrix.Stages {
		t.Run(stage.ID, func(t *testing.T) {
			found := run(t, redis, made(t, stage), stage, scenarios...)
			if found.Fails != "" {
				t.Fatalf("%s: %s", found.Fails, found.Failure)
			}
			worst := results.Holds
			for _, cell := range found.Cells {
				worst = results.Worst(worst, cell.Verdict)
			}
			if worst != results.Broken {
				t.Errorf("the worst verdict is %s, want broken: %+v", worst, found.Cells)
			}
		})
	}
}

// With the reference's files in the places of those that are left to do the stage is
// complete.
func TestAStartWithTheReferencesFilesIsComplete(t *testing.T) {
	redis := enginetest.Container(t)
	for _, stage := range matrix.Stages {
		t.Run(stage.ID, func(t *testing.T) {
			dir := made(t, stage)
			for _, f := range plan(t, stage).Files {
				if f.Origin != start.ToDo {
					continue
				}
				content, err := os.ReadFile(filepath.Join(workbook, "stages", stage.Folder(), f.Name))
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, f.Name), content, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if found := run(t, redis, dir, stage); !found.Status.Run {
				t.Errorf("%v\n%s", found.Status, found.Failure)
			}
		})
	}
}

func made(t *testing.T, stage matrix.Stage) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work", stage.ID)
	if err := plan(t, stage).Make(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func run(t *testing.T, redis *engine.Engine, dir string, stage matrix.Stage, only ...string) results.Stage {
	t.Helper()
	found, err := runner.Run(t.Context(), runner.Options{
		Root: t.TempDir(), Dir: dir, Stages: []matrix.Stage{stage}, Only: only, Seed: 42,
		Redis:    func(context.Context) (*engine.Engine, error) { return redis, nil },
		Progress: func(line string) { t.Log(line) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return found.Stages[0]
}
