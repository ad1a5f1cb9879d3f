package exercise

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const labs = "../.."

// updateVariable, set to 1, writes the golden files anew. Read the difference before it is committed.
const updateVariable = "LABS_UPDATE_GOLDEN"

// TestExercises is the gate for all exercises of all labs: what a learner is given compiles and
// fails with words that have been read, and it can be solved.
func TestExercises(t *testing.T) {
	list := all(t)
	begun := results(t, list, starter)
	done := results(t, list, solution)
	for i, e := range list {
		t.Run(e.String(), func(t *testing.T) {
			if begun[i].Verdict == NotRun {
				needed(t, begun[i].Says)
			}
			if begun[i].Verdict != NotYet {
				t.Errorf("starter: %s, want %q\n%s", begun[i].Verdict, NotYet, begun[i].Says)
			}
			golden(t, e.source("starter.golden"), begun[i].Says)
			if done[i].Verdict != Solved {
				t.Errorf("solution: %s, want %q\n%s", done[i].Verdict, Solved, done[i].Says)
			}
		})
	}
}

func needed(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("HARNESS_REQUIRE_CONTAINER") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func TestExerciseFolders(t *testing.T) {
	for _, e := range all(t) {
		t.Run(e.String(), func(t *testing.T) {
			want := []string{checkFile, solution, starter, "starter.golden"}
			if diff := cmp.Diff(want, names(t, e.source(""))); diff != "" {
				t.Errorf("files of the exercise (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(names(t, e.source(starter)), names(t, e.source(solution))); diff != "" {
				t.Errorf("the solution has other files than the starter (-starter +solution):\n%s", diff)
			}
		})
	}
}

func all(t *testing.T) []Exercise {
	t.Helper()
	names, err := Labs(labs)
	if err != nil {
		t.Fatal(err)
	}
	var list []Exercise
	for _, lab := range names {
		of, err := Of(labs, lab)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, of...)
	}
	return list
}

func results(t *testing.T, list []Exercise, part string) []Result {
	t.Helper()
	found, err := run(context.Background(), list, func(e Exercise) string { return e.source(part) })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	got = strings.TrimSpace(got) + "\n"
	if os.Getenv(updateVariable) == "1" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; %s=1 writes it", err, updateVariable)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("what the starter's check says has changed; %s=1 writes %s anew (-want +got):\n%s",
			updateVariable, filepath.Base(file), diff)
	}
}
