package matrix_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/promise"
	"example.com/importer/harness/scenario"
	"github.com/google/go-cmp/cmp"
)

// What is declared is told, and what is told is declared.
func TestEveryDeclaredThingHasItsCodeAndTheOtherWayRound(t *testing.T) {
	var scenarios []string
	for _, s := range matrix.Scenarios {
		scenarios = append(scenarios, s.Name)
		if scenario.All[s.Name] == nil {
			t.Errorf("scenario %s is declared and not told", s.Name)
		}
	}
	for name := range scenario.All {
		if !slices.Contains(scenarios, name) {
			t.Errorf("scenario %s is told and not declared", name)
		}
	}
	var promises []string
	for _, p := range matrix.Promises {
		if slices.Contains(promises, p.Name) {
			t.Errorf("promise %s is declared twice", p.Name)
		}
		promises = append(promises, p.Name)
		if promise.All[p.Name] == nil {
			t.Errorf("promise %s is declared and not checked", p.Name)
		}
		if _, ok := matrix.FindStage(p.From); !ok {
			t.Errorf("promise %s is declared from stage %q on", p.Name, p.From)
		}
	}
	for name := range promise.All {
		if !slices.Contains(promises, name) {
			t.Errorf("promise %s is checked and not declared", name)
		}
	}
}

func TestEveryCellDeclaresItsSteps(t *testing.T) {
	for _, stage := range matrix.Stages {
		for _, cell := range stage.Cells {
			if len(cell.Right) == 0 {
				t.Errorf("stage %s %s declares no step", stage.ID, cell.Scenario)
			}
			for _, want := range cell.Right {
				if want.Rule.ID == "" || want.Title == "" {
					t.Errorf("stage %s %s, step %q has no rule or no title", stage.ID, cell.Scenario, want.Step)
				}
			}
		}
	}
}

// A message that sends its reader to a lesson must send him somewhere.
func TestEveryRuleHasItsLessonSection(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchor := regexp.MustCompile(`[^a-z0-9 -]`)
	places := map[string]string{}
	for _, rule := range matrix.Rules {
		places["rule "+rule.ID] = rule.Lesson
	}
	for _, stage := range matrix.Stages {
		for _, cell := range stage.Cells {
			if len(cell.Gap) > 0 {
				places["gap of stage "+stage.ID+" "+cell.Scenario] = cell.See
			}
			for _, want := range append(slices.Clone(cell.Right), cell.Gap...) {
				if want.Rule.ID != "" && !slices.Contains(matrix.Rules, want.Rule) {
					t.Errorf("rule %s is not in the list of rules", want.Rule.ID)
				}
			}
		}
	}
	for _, p := range matrix.Promises {
		if !slices.Contains(matrix.Rules, p.Rule) {
			t.Errorf("rule %s of promise %s is not in the list of rules", p.Rule.ID, p.Name)
		}
	}
	for what, lesson := range places {
		file, anchor, found := strings.Cut(lesson, "#")
		if !found {
			t.Errorf("%s has no anchor: %q", what, lesson)
			continue
		}
		content, err := os.ReadFile("../../lessons/" + file)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		var anchors []string
		for _, match := range heading.FindAllStringSubmatch(string(content), -1) {
			text := notInAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
			anchors = append(anchors, strings.ReplaceAll(text, " ", "-"))
		}
		if !slices.Contains(anchors, anchor) {
			t.Errorf("%s: %s has no section #%s; it has %v", what, file, anchor, anchors)
		}
	}
}

// What a stage does not teach is the stage before it, to the byte.
func TestEachStageChangesWhatItTeachesAndNothingElse(t *testing.T) {
	for _, change := range matrix.Changes {
		from, to := filesOf(t, change.From), filesOf(t, change.To)
		var changed []string
		for name, content := range to {
			if before, there := from[name]; !there || before != content {
				changed = append(changed, name)
			}
		}
		for name := range from {
			if _, there := to[name]; !there {
				t.Errorf("%s to %s: %s is gone", change.From, change.To, name)
			}
		}
		slices.Sort(changed)
		if diff := cmp.Diff(change.Files, changed); diff != "" {
			t.Errorf("%s to %s (-declared +found):\n%s", change.From, change.To, diff)
		}
	}
}

// filesOf reads the sources of a stage that are not tests or module files.
func filesOf(t *testing.T, id string) map[string]string {
	t.Helper()
	stage, _ := matrix.FindStage(id)
	root := os.DirFS("../../stages/" + stage.Folder())
	files := map[string]string{}
	for _, pattern := range []string{"*.go", "lua/*.lua"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			content, err := fs.ReadFile(root, name)
			if err != nil {
				t.Fatal(err)
			}
			files[name] = string(content)
		}
	}
	return files
}
