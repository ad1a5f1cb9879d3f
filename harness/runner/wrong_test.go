package runner_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner/patched"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// wrong is a program that is wrong on purpose: a patch over a reference stage,
// with a head that says who must catch it and which rule it breaks.
type wrong struct {
	name   string
	stage  string
	caught string // a scenario or a promise
	rule   string // id of the rule that must be named
	seen   string // words that a finding must hold; empty: any
	needs  string // container, if an imitation cannot show it
}

func readWrong(t *testing.T, path string) wrong {
	t.Helper()
	head := readHead(t, path)
	w := wrong{
		name: strings.TrimSuffix(filepath.Base(path), ".patch"), stage: head["stage"], caught: head["caught by"], rule: head["rule"], seen: head["seen"], needs: head["needs"],
	}
	if w.stage == "" || w.caught == "" || w.rule == "" {
		t.Fatalf("%s: its head must name stage, caught by and rule; it is %+v", path, w)
	}
	return w
}

// Every wrong program is caught by the check that its patch names, under the rule that
// it names, and the learner reads what is kept beside the patch. What is kept is
// written anew by: go test ./runner -run WrongPrograms -update. With HARNESS_TEST_ENGINE=container
// all of them run on a real Redis, which is the proof; without, only those that need it.
func TestWrongProgramsAreCaught(t *testing.T) {
	patches, err := filepath.Glob("testdata/wrong/*.patch")
	if err != nil || len(patches) == 0 {
		t.Fatalf("no patches: %v", err)
	}
	for _, patch := range patches {
		w := readWrong(t, patch)
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			var redis *engine.Engine
			if w.needs == string(engine.Container) {
				redis = enginetest.Container(t)
			} else {
				redis = enginetest.Chosen(t) // its own, with a script cache of its own
			}
			stage, ok := matrix.FindStage(w.stage)
			if !ok {
				t.Fatalf("there is no stage %q", w.stage)
			}
			found := run(t, redis, patched.Workbook(t, workbook, stage, patch), []matrix.Stage{stage}, w.caught)
			golden(t, strings.TrimSuffix(patch, ".patch")+".golden", found)
			verdict, findings := of(t, found.Stages[0], w.caught)
			if verdict != results.Broken {
				t.Fatalf("%s says %s: %+v", w.caught, verdict, findings)
			}
			for _, f := range findings {
				if f.Rule == sentence(t, w.rule) && strings.Contains(f.Seen, w.seen) {
					return
				}
			}
			t.Errorf("no finding under rule %s with %q: %+v", w.rule, w.seen, findings)
		})
	}
}

func of(t *testing.T, stage results.Stage, name string) (results.Verdict, []results.Finding) {
	t.Helper()
	for _, cell := range stage.Cells {
		if cell.Scenario == name {
			var findings []results.Finding
			for _, r := range cell.Runs {
				findings = append(findings, r.Findings...)
			}
			return cell.Verdict, findings
		}
	}
	for _, p := range stage.Promises {
		if p.Name == name {
			return p.Verdict, p.Findings
		}
	}
	t.Fatalf("nothing is called %s", name)
	return "", nil
}

func sentence(t *testing.T, id string) string {
	t.Helper()
	for _, r := range matrix.Rules {
		if r.ID == id {
			return r.Sentence
		}
	}
	t.Fatalf("there is no rule %q", id)
	return ""
}
