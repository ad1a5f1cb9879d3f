package lesson_test

import (
	"path/filepath"
	"testing"

	"example.com/importer/lessons/labs/internal/lesson"
)

const labs = "../.."

func TestLessons(t *testing.T) {
	paths, err := filepath.Glob("../../../*.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("there are no lessons")
	}
	for _, path := range paths {
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
