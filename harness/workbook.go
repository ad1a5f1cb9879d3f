package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/report"
	"example.com/importer/harness/sources"
)

// workbook is the folder that holds go.work, stages/ and CHECKLIST.md. (A folder in
// work/ has a go.work as well, and no stages.)
type workbook string

// findWorkbook looks upwards from the working folder.
func findWorkbook() (workbook, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the workbook: %w", err)
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		_, err := os.Stat(filepath.Join(dir, "go.work"))
		if info, statErr := os.Stat(filepath.Join(dir, "stages")); err == nil && statErr == nil && info.IsDir() {
			return workbook(dir), nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%w: neither %s nor a folder above it is the workbook (it has a go.work and a folder stages)", errUsage, start)
		}
	}
}

func (w workbook) checklist() string { return filepath.Join(string(w), "CHECKLIST.md") }

func (w workbook) lessons() string { return filepath.Join(string(w), "lessons") }

// digests are those of the stages whose folders are there.
func (w workbook) digests() (map[string]string, error) {
	digests := map[string]string{}
	for _, stage := range matrix.Stages {
		digest, err := sources.Digest(filepath.Join(string(w), "stages", stage.Folder()))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		digests[stage.ID] = digest
	}
	digest, err := sources.LabsDigest(w.lessons())
	if err != nil {
		return nil, err
	}
	digests[report.LabsDigest] = digest
	return digests, nil
}

// record reads the checklist; without a file nothing is known.
func (w workbook) record() (report.Record, error) {
	content, err := os.ReadFile(w.checklist())
	if errors.Is(err, os.ErrNotExist) {
		return report.Record{}, nil
	}
	if err != nil {
		return report.Record{}, fmt.Errorf("read the checklist: %w", err)
	}
	return report.ParseChecklist(content)
}

// write writes the checklist as a whole or not at all.
func (w workbook) write(record report.Record) error {
	digests, err := w.digests()
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(string(w), ".checklist-*")
	if err != nil {
		return fmt.Errorf("write the checklist: %w", err)
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(report.Checklist(record, digests))
	if err := errors.Join(err, draft.Chmod(0o644), draft.Close()); err != nil {
		return fmt.Errorf("write the checklist: %w", err)
	}
	if err := os.Rename(draft.Name(), w.checklist()); err != nil {
		return fmt.Errorf("write the checklist: %w", err)
	}
	return nil
}
