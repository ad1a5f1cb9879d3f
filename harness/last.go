package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.com/importer/harness/results"
)

// lastFile keeps what was found when a stage was run last, wherever it lay.
func (w workbook) lastFile(stage string) string {
	return filepath.Join(string(w), ".build", "last", stage+".json")
}

// saveLast keeps the results, each stage in a file of its own.
func (w workbook) saveLast(found results.Results) error {
	for _, stage := range found.Stages {
		one := found
		one.Stages = []results.Stage{stage}
		content, err := json.MarshalIndent(one, "", "  ")
		if err != nil {
			return fmt.Errorf("keep the results of stage %s: %w", stage.ID, err)
		}
		if err := writeWhole(w.lastFile(stage.ID), append(content, '\n')); err != nil {
			return fmt.Errorf("keep the results of stage %s: %w", stage.ID, err)
		}
	}
	return nil
}

// last is what was found when the stage was run last, with that stage alone; false if it
// never was.
func (w workbook) last(stage string) (results.Results, bool, error) {
	path := w.lastFile(stage)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return results.Results{}, false, nil
	}
	if err != nil {
		return results.Results{}, false, fmt.Errorf("read the last results: %w", err)
	}
	var found results.Results
	if err := json.Unmarshal(content, &found); err != nil || found.Format != results.Format || len(found.Stages) != 1 || found.Stages[0].ID != stage {
		return results.Results{}, false, fmt.Errorf("the last results in %s cannot be read: run the stage again, which writes them anew", w.shown(path))
	}
	return found, true, nil
}

// shown is a path as it is typed in the working folder.
func (w workbook) shown(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	relative, err := filepath.Rel(here, path)
	if err != nil {
		return path
	}
	return relative
}

// writeWhole writes a file as a whole or not at all, and makes its folder.
func writeWhole(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".draft-*")
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(content)
	if err := errors.Join(err, draft.Chmod(0o644), draft.Close()); err != nil {
		return err
	}
	return os.Rename(draft.Name(), path)
}
