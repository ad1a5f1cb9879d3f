package exercise

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"time"
)

const modulePath = "example.com/importer/lessons/labs"

// timeout bounds the check of one exercise; a learner's loop may have no end.
const timeout = time.Minute

// Verdict is how far an exercise is.
type Verdict string

const (
	Solved   Verdict = "solved"
	NotYet   Verdict = "not yet"
	NoBuild  Verdict = "does not compile"
	NotRun   Verdict = "not run" // the machine lacks something
	noResult Verdict = ""
)

// Result is what the check of one exercise said.
type Result struct {
	Exercise Exercise
	Verdict  Verdict
	Says     string // the words of the check, with no times, paths or line numbers of its own
	// Rehearsal is empty, or says why the check used no real Redis.
	Rehearsal string
}

// Check runs the checks of what learners have in their folders.
func Check(ctx context.Context, list []Exercise) ([]Result, error) {
	var attempts []attempt
	for _, e := range list {
		attempts = append(attempts, attempt{e, e.Work()})
	}
	return run(ctx, attempts)
}

// attempt is a folder with somebody's files for an exercise.
type attempt struct {
	Exercise
	folder string
}

// run checks all attempts with one go command, so that what they share is compiled once.
func run(ctx context.Context, list []attempt) ([]Result, error) {
	if len(list) == 0 {
		return nil, errors.New("there is nothing to check")
	}
	root, err := filepath.Abs(list[0].root)
	if err != nil {
		return nil, fmt.Errorf("find the labs: %w", err)
	}
	// Without symbols for a debugger a program is linked in half the time.
	arguments := []string{"test", "-json", "-count=1", "-ldflags=-s -w", "-timeout", timeout.String()}
	overlay := map[string]string{}
	packages := map[string]int{}
	for i, e := range list {
		relative, err := filepath.Rel(e.root, e.folder)
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", e, err)
		}
		packages[path.Join(modulePath, filepath.ToSlash(relative))] = i
		arguments = append(arguments, "./"+filepath.ToSlash(relative))
		check, err := filepath.Abs(e.source(checkFile))
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", e, err)
		}
		overlay[filepath.Join(root, relative, checkFile)] = check
	}
	file, remove, err := writeOverlay(overlay)
	if err != nil {
		return nil, err
	}
	defer remove()

	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, "go", append([]string{arguments[0], "-overlay", file}, arguments[1:]...)...)
	command.Dir = root
	command.Env = append(os.Environ(), "GOWORK=off")
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("run the checks: %w", err)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("run the checks: %w", ctx.Err())
	}
	results, err := read(&stdout, list, packages)
	if err != nil {
		return nil, fmt.Errorf("run the checks: %w: %s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return results, nil
}

// writeOverlay lets the go command see the check in folders that hold none, or an edited one.
func writeOverlay(replace map[string]string) (file string, remove func(), err error) {
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, fmt.Errorf("write the overlay: %w", err)
	}
	dir, err := os.MkdirTemp("", "importer-labs-")
	if err != nil {
		return "", nil, fmt.Errorf("write the overlay: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
	file = filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		remove()
		return "", nil, fmt.Errorf("write the overlay: %w", err)
	}
	return file, remove, nil
}
