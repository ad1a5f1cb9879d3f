package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/importer/harness/bench/measure"
	"example.com/importer/harness/bench/show"
)

// What cannot be done is said before anything is measured.
func TestWrongUsage(t *testing.T) {
	unmarked := filepath.Join(t.TempDir(), "lesson.md")
	if err := os.WriteFile(unmarked, []byte("# Costs\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		`there is no argument "fast"`:   {"fast"},
		"flag provided but not defined": {"-fast"},
		"a quick look is no figure":     {"-quick", "-note", unmarked},
		show.ErrNoMarks.Error():         {"-note", unmarked},
		"no such file":                  {"-note", filepath.Join(t.TempDir(), "none.md")},
		"it is not the workbook":        {"-root", t.TempDir()},
	} {
		err := run(t.Context(), args, io.Discard, io.Discard)
		if !errors.Is(err, errUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: the error is %v, %q is expected", args, err, want)
		}
	}
}

func TestExitStatus(t *testing.T) {
	for want, err := range map[int]error{
		1: fmt.Errorf("process: %w", measure.ErrWrong),
		2: fmt.Errorf("%w: no", errUsage),
		3: errors.New("no Docker"),
	} {
		if got := exitStatus(err); got != want {
			t.Errorf("%v: status %d, want %d", err, got, want)
		}
	}
	if got := exitStatus(errMissed); got != 1 {
		t.Errorf("a target that is missed: status %d, want 1", got)
	}
}

// The lesson of this workbook has its place for the figures.
func TestTheLessonCanBeWritten(t *testing.T) {
	if _, err := (options{note: "../../lessons/what-it-costs.md"}).lesson(); err != nil {
		t.Error(err)
	}
}
