package runner_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner/patched"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// What is right in another way must hold everything: the harness grades what a program
// does, and not whether it does it as ours does.
func TestRightProgramsHoldInAContainer(t *testing.T) {
	rightPrograms(t, enginetest.Container(t))
}

func TestRightProgramsHoldRehearsed(t *testing.T) {
	if os.Getenv("HARNESS_REQUIRE_CONTAINER") == "1" {
		t.Skip("they are run in a container, which proves more and takes as long")
	}
	rightPrograms(t, enginetest.Miniredis(t))
}

func rightPrograms(t *testing.T, redis *engine.Engine) {
	patches, err := filepath.Glob("testdata/right/*.patch")
	if err != nil || len(patches) < 6 {
		t.Fatalf("%d patches (%v), at least 6 are expected", len(patches), err)
	}
	for _, patch := range patches {
		// One after the other: whole stages, with bounds of their own.
		t.Run(strings.TrimSuffix(filepath.Base(patch), ".patch"), func(t *testing.T) {
			head := readHead(t, patch)
			if head["needs"] == string(engine.Container) && redis.Kind() != engine.Container {
				t.Skip("needs a real Redis")
			}
			stage, ok := matrix.FindStage(head["stage"])
			if !ok {
				t.Fatalf("there is no stage %q", head["stage"])
			}
			found := run(t, redis, patched.Workbook(t, workbook, stage, patch), []matrix.Stage{stage}).Stages[0]
			if found.Fails != "" {
				t.Fatalf("%s: %s", found.Fails, found.Failure)
			}
			for _, cell := range found.Cells {
				for _, r := range cell.Runs {
					if r.Verdict != results.Holds {
						t.Errorf("%s (%s data): %s %s %+v\n%v", cell.Scenario, r.Data, r.Verdict, r.Reason, r.Findings, r.Logs)
					}
				}
			}
			for _, p := range found.Promises {
				if p.Verdict != results.Holds && !(redis.Kind() == engine.Miniredis && slices.Contains(needServer, p.Name)) {
					t.Errorf("%s: %s %s %+v\n%v", p.Name, p.Verdict, p.Reason, p.Findings, p.Logs)
				}
			}
		})
	}
}

// needServer names what an imitation cannot show: it cannot be killed, and its clock
// stands still.
var needServer = []string{"redis-killed", "redis-full", "retention"}

// readHead reads the lines "key: value" before the first diff of a patch.
func readHead(t *testing.T, path string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(content))
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "diff ") {
		if key, value, ok := strings.Cut(lines.Text(), ": "); ok {
			head[key] = value
		}
	}
	return head
}
