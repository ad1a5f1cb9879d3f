package matrix_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/promise"
	"example.com/importer/harness/scenario"
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
	for _, rule := range matrix.Rules {
		file, anchor, found := strings.Cut(rule.Lesson, "#")
		if !found {
			t.Errorf("rule %s has no anchor: %s", rule.ID, rule.Lesson)
			continue
		}
		content, err := os.ReadFile("../../lessons/" + file)
		if err != nil {
			t.Errorf("rule %s: %v", rule.ID, err)
			continue
		}
		var anchors []string
		for _, match := range heading.FindAllStringSubmatch(string(content), -1) {
			text := notInAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
			anchors = append(anchors, strings.ReplaceAll(text, " ", "-"))
		}
		if !slices.Contains(anchors, anchor) {
			t.Errorf("rule %s: %s has no section #%s; it has %v", rule.ID, file, anchor, anchors)
		}
	}
}
