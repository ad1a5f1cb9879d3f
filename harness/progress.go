package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	learned "example.com/importer/harness/learn/progress"
	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/results"
	"example.com/importer/harness/sources"
)

func progressCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "progress",
		Short: "Show how far you are in each stage of work/",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			kept, err := book.progress()
			if err != nil {
				return err
			}
			kept.Table(c.OutOrStdout(), book.now)
			return nil
		},
	}
}

func (w workbook) progressFile() string { return filepath.Join(string(w), "work", "progress.json") }

func (w workbook) progress() (learned.Progress, error) {
	kept, err := learned.Read(w.progressFile())
	if errors.Is(err, learned.ErrUnreadable) {
		path := w.shown(w.progressFile())
		return kept, fmt.Errorf("%s: %w; remove it, and run your stages again", path, err)
	}
	return kept, err
}

// now looks at the learner's folder of a stage.
func (w workbook) now(stage string) learned.Now {
	dir := start.Folder(string(w), stage)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return learned.Now{}
	}
	digest, _ := sources.Digest(dir) // what cannot be told has changed
	return learned.Now{There: true, Digest: digest}
}

// tellProgress keeps how far a stage of work/ is, and says so. What was found is worth
// more than the keeping of it: a trouble with that is told, and is no failure.
func (w workbook) tellProgress(c *cobra.Command, found results.Results) {
	for _, stage := range found.Stages {
		kept, ok, err := w.keepProgress(stage, found.Engine)
		if err != nil {
			fmt.Fprintf(c.ErrOrStderr(), "harness: the progress is not kept: %v\n", err)
		}
		if ok {
			fmt.Fprintf(c.OutOrStdout(), "  progress: %s (all stages: .build/harness progress)\n", kept.Line(learned.Now{}))
		}
	}
}

// keepProgress writes down how far a stage of work/ is, and returns it; false if the
// stage lay elsewhere. A file that cannot be read is left for a person to look at.
func (w workbook) keepProgress(stage results.Stage, e results.Engine) (learned.Stage, bool, error) {
	if stage.Dir == "" {
		return learned.Stage{}, false, nil
	}
	dir, err := filepath.Abs(stage.Dir)
	if err != nil || dir != start.Folder(string(w), stage.ID) {
		return learned.Stage{}, false, nil
	}
	kept, err := w.progress()
	if err != nil {
		return learned.Stage{}, false, err
	}
	now := learned.Of(stage, e)
	kept.Set(now)
	content, err := kept.Encode()
	if err != nil {
		return learned.Stage{}, false, err
	}
	if err := writeWhole(w.progressFile(), content); err != nil {
		return learned.Stage{}, false, fmt.Errorf("keep the progress: %w", err)
	}
	return now, true, nil
}
