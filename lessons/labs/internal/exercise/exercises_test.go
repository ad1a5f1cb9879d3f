package exercise

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const labs = "../.."

// updateVariable, set to 1, writes the golden files anew. Read the difference before it is committed.
const updateVariable = "LABS_UPDATE_GOLDEN"

// TestExercises is the gate for all exercises of all labs: what a learner is given compiles and
// fails with words that have been read, it can be solved, and who goes astray is told how.
func TestExercises(t *testing.T) {
	var attempts []attempt
	for _, e := range all(t) {
		attempts = append(attempts, attempt{e, e.source(starter)}, attempt{e, e.source(solution)})
		for _, name := range folders(t, e.source(wrong)) {
			attempts = append(attempts, attempt{e, filepath.Join(e.source(wrong), name)})
		}
	}
	results, err := run(t.Context(), attempts)
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range results {
		folder := attempts[i].folder
		t.Run(result.Exercise.String()+"/"+filepath.Base(folder), func(t *testing.T) {
			if result.Verdict == NotRun {
				needed(t, result.Says)
			}
			want := NotYet
			if filepath.Base(folder) == solution {
				want = Solved
			}
			if result.Verdict != want {
				t.Fatalf("%s, want %q\n%s", result.Verdict, want, result.Says)
			}
			if result.Says == "" && want == NotYet {
				t.Fatal("the check failed and said nothing")
			}
			if result.Says != "" {
				golden(t, folder+".golden", result.Says)
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
			if _, err := os.Stat(e.source(solution + ".golden")); err == nil {
				want = slices.Insert(want, 2, solution+".golden") // a check may praise
			}
			if len(folders(t, e.source(wrong))) > 0 {
				want = append(want, wrong)
			}
			if diff := cmp.Diff(want, names(t, e.source(""))); diff != "" {
				t.Errorf("files of the exercise (-want +got):\n%s", diff)
			}
			files := names(t, e.source(starter))
			for _, other := range append(folders(t, e.source(wrong)), "../"+solution) {
				folder := filepath.Join(e.source(wrong), other)
				if diff := cmp.Diff(files, names(t, folder)); diff != "" {
					t.Errorf("%s has other files than the starter (-starter +other):\n%s", folder, diff)
				}
			}
		})
	}
}

func all(t *testing.T) []Exercise {
	t.Helper()
	lookedAt(t)
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

// lookedAt tells the go command which files a cached result of this test depends on: it cannot know
// what the commands read that are started here.
func lookedAt(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(labs, func(path string, _ os.DirEntry, err error) error {
		if err == nil {
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// folders are the names of those in a folder, and none if it is not there.
func folders(t *testing.T, parent string) []string {
	t.Helper()
	entries, err := os.ReadDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
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
