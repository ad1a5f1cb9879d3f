package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.com/importer/harness/labs"
	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world/program"
)

func labsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "labs",
		Short: "Run the tests of all labs and write down what was proven",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			record, err := book.record()
			if err != nil {
				return err
			}
			digests, err := book.digests()
			if err != nil {
				return err
			}
			progress(c.ErrOrStderr())("running the labs (their exercises are compiled, which takes a while)")
			if record.Labs, err = labs.Run(c.Context(), filepath.Join(book.lessons(), "labs"), c.ErrOrStderr()); err != nil {
				return err
			}
			for i := range record.Labs {
				results.CleanLab(&record.Labs[i], program.Sanitise)
				record.Labs[i].Digest = digests[report.LabsDigest]
			}
			tellLabs(c.OutOrStdout(), record.Labs)
			if err := book.write(record); err != nil {
				return err
			}
			return labsVerdict(record.Labs)
		},
	}
}

func tellLabs(w io.Writer, found []results.Lab) {
	for _, lab := range found {
		fmt.Fprintf(w, "  %-8s %s, %d tests passed\n", lab.Name, lab.Status, lab.Passed)
		for _, skip := range report.Skips(lab.Skipped) {
			fmt.Fprintf(w, "           %s\n", skip)
		}
	}
}

// labsVerdict is the exit status: broken beats what could not be proven.
func labsVerdict(found []results.Lab) error {
	var unproven []string
	for _, lab := range found {
		if len(lab.Failed) > 0 {
			return errBroken
		}
		if !lab.Status.Run {
			unproven = append(unproven, lab.Name+": "+lab.Status.Reason)
		}
	}
	if len(unproven) > 0 {
		return fmt.Errorf("%w: %s", errNotProof, strings.Join(unproven, "; "))
	}
	return nil
}
