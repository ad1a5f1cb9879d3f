package hint_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/importer/harness/learn/failure"
	"example.com/importer/harness/learn/hint"
	"example.com/importer/harness/matrix"
)

const workbook = "../../.."

// Whatever can break names a rule, and every rule has three hints, each its own.
func TestEveryRuleHasThreeHints(t *testing.T) {
	texts := map[string]string{}
	for _, rule := range matrix.Rules {
		h, ok := hint.For(rule)
		if !ok {
			t.Errorf("rule %s has no hint", rule.ID)
			continue
		}
		for level, text := range []string{h.Question, h.Look, h.Answer} {
			if len(text) < 30 || texts[text] != "" {
				t.Errorf("rule %s, level %d: %q is too short, or that of rule %s", rule.ID, level+1, text, texts[text])
			}
			texts[text] = rule.ID
		}
		if !strings.Contains(h.Question, "?") {
			t.Errorf("rule %s: level 1 asks nothing: %q", rule.ID, h.Question)
		}
	}
	var known []matrix.Rule
	for _, h := range hint.Table {
		if !slices.Contains(matrix.Rules, h.Rule) || slices.Contains(known, h.Rule) {
			t.Errorf("rule %s is no rule, or has two hints", h.Rule.ID)
		}
		known = append(known, h.Rule)
	}
}

// Every scenario and promise of every stage leads to a hint with a file of that stage.
func TestEveryCheckLeadsToAFile(t *testing.T) {
	for _, stage := range matrix.Stages {
		dir := filepath.Join(workbook, "stages", stage.Folder())
		there := func(name string) bool {
			_, err := os.Stat(filepath.Join(dir, name))
			return err == nil
		}
		names := map[string][]matrix.Rule{}
		for _, cell := range stage.Cells {
			rule, ok := failure.RuleOf(stage, cell.Scenario)
			if !ok {
				t.Errorf("stage %s: %s has no rule", stage.ID, cell.Scenario)
			}
			names[cell.Scenario] = []matrix.Rule{rule}
			for _, want := range cell.Right {
				names[cell.Scenario] = append(names[cell.Scenario], want.Rule)
			}
		}
		for _, p := range matrix.PromisesOf(stage.ID) {
			names[p.Name] = []matrix.Rule{p.Rule}
		}
		for name, rules := range names {
			for _, rule := range rules {
				if h, ok := hint.For(rule); !ok || len(h.FilesIn(there)) == 0 {
					t.Errorf("stage %s %s: the hint for %s names no file of the stage", stage.ID, name, rule.ID)
				}
			}
		}
	}
}

// What a hint names is there: its files in some stage, and its lesson's section.
func TestHintsNameWhatIsThere(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^## (.*)$`)
	for _, h := range hint.Table {
		for _, name := range h.Files {
			if found, err := filepath.Glob(filepath.Join(workbook, "stages", "*", name)); err != nil || len(found) == 0 {
				t.Errorf("rule %s names %s, which no stage has", h.Rule.ID, name)
			}
		}
		file, anchor, _ := strings.Cut(h.Rule.Lesson, "#")
		content, err := os.ReadFile(filepath.Join(workbook, "lessons", file))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, match := range heading.FindAllStringSubmatch(string(content), -1) {
			found = found || strings.NewReplacer(" ", "-", ",", "").Replace(strings.ToLower(match[1])) == anchor
		}
		if !found {
			t.Errorf("rule %s: %s has no section %s", h.Rule.ID, file, anchor)
		}
	}
}
