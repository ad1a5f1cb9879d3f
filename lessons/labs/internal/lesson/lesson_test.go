package lesson_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/internal/lesson"
)

const labs = "../.."

func paths(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../../../*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("there are no lessons")
	}
	return found
}

func TestLessons(t *testing.T) {
	for _, path := range paths(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			l, err := lesson.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range append(lesson.CheckLinks(l), lesson.CheckBlocks(l, labs)...) {
				t.Error(err)
			}
		})
	}
}

var section = regexp.MustCompile(`[a-z0-9-]+\.md#[a-z0-9-]+`)

// The checks of the exercises send learners to sections, and those have to be there.
func TestSectionsThatChecksName(t *testing.T) {
	lessons := map[string]*lesson.Lesson{}
	named := 0
	err := filepath.WalkDir(labs, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.Contains(path, "internal") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, name := range section.FindAllString(string(content), -1) {
			named++
			file, anchor, _ := strings.Cut(name, "#")
			if lessons[file] == nil {
				if lessons[file], err = lesson.Read(filepath.Join("../../..", file)); err != nil {
					return err
				}
			}
			if !lessons[file].HasAnchor(anchor) {
				t.Errorf("%s names %s, and there is no such section", path, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named == 0 {
		t.Error("no check names a section")
	}
}

// A lesson tells of every exercise: by its name, and by the command that hands it out.
func TestLessonsTellOfExercises(t *testing.T) {
	names, err := exercise.Labs(labs)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, path := range paths(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	for _, lab := range names {
		list, err := exercise.Of(labs, lab)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if !slices.ContainsFunc(texts, func(text string) bool {
				return strings.Contains(text, "LAB="+lab) && strings.Contains(text, "`"+e.Name+"`")
			}) {
				t.Errorf("no lesson tells of the exercise %s", e)
			}
		}
	}
}
