package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"

	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

// faces are the places where the results of a grade are written. All of them are opened
// before anything is run: not to be able to write is better known before.
type faces struct {
	terminal             io.Writer
	json, junit, summary *os.File
}

func (f gradeFlags) openFaces(terminal io.Writer) (_ *faces, err error) {
	all := &faces{terminal: terminal}
	summary := f.summary
	if summary == "" {
		summary = os.Getenv("GITHUB_STEP_SUMMARY")
	}
	for _, face := range []struct {
		flag, path string
		place      **os.File
		mode       int
	}{
		{"json", f.json, &all.json, os.O_TRUNC},
		{"junit", f.junit, &all.junit, os.O_TRUNC},
		{"summary", summary, &all.summary, os.O_APPEND}, // other steps of the job write there as well
	} {
		if face.path == "" {
			continue
		}
		*face.place, err = os.OpenFile(face.path, os.O_CREATE|os.O_WRONLY|face.mode, 0o644)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%w: --%s: %v", errUsage, face.flag, err), all.Close())
		}
	}
	return all, nil
}

func (f *faces) write(found results.Results) error {
	f.report(found)
	if f.json != nil {
		if err := report.JSON(f.json, found); err != nil {
			return fmt.Errorf("write the results to %s: %w", f.json.Name(), err)
		}
	}
	if f.junit != nil {
		if err := report.JUnit(f.junit, found); err != nil {
			return fmt.Errorf("write the results to %s: %w", f.junit.Name(), err)
		}
	}
	if f.summary != nil {
		report.Summary(f.summary, found)
	}
	return nil
}

// report writes what people read. In a GitHub job a line of output can be a command;
// the program's words are among ours, so GitHub is told not to look for commands until
// it sees a word that nobody could know.
func (f *faces) report(found results.Results) {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		report.Terminal(f.terminal, found, mayColour(f.terminal))
		return
	}
	word := rand.Text()
	fmt.Fprintf(f.terminal, "::stop-commands::%s\n", word)
	report.Terminal(f.terminal, found, false)
	fmt.Fprintf(f.terminal, "::%s::\n", word)
	report.Annotations(f.terminal, found)
}

// Close closes the files. What was not written shows here.
func (f *faces) Close() error {
	var errs []error
	for _, file := range []*os.File{f.json, f.junit, f.summary} {
		if file != nil {
			errs = append(errs, file.Close())
		}
	}
	return errors.Join(errs...)
}
