package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"example.com/importer/harness/report"
)

func checklistCommand() *cobra.Command {
	var check bool
	command := &cobra.Command{
		Use:   "checklist",
		Short: "Write CHECKLIST.md anew from what was run, or check it",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			if check {
				return checkChecklist(book)
			}
			record, err := book.record()
			if errors.Is(err, report.ErrEdited) {
				fmt.Fprintf(c.ErrOrStderr(), "%v: what it said is dropped; run the stages again\n", err)
				record, err = report.Record{}, nil
			}
			if err != nil {
				return err
			}
			return book.write(record)
		},
	}
	command.Flags().BoolVar(&check, "check", false, "only check that it is as the harness wrote it and that no source changed since")
	return command
}

func checkChecklist(book workbook) error {
	fail := func(format string, args ...any) error {
		fmt.Fprintf(os.Stderr, "harness: "+format+"\n", args...)
		return errBroken
	}
	content, err := os.ReadFile(book.checklist())
	if errors.Is(err, os.ErrNotExist) {
		return fail("there is no CHECKLIST.md: run `make checklist` to write it")
	}
	if err != nil {
		return fmt.Errorf("read the checklist: %w", err)
	}
	record, err := report.ParseChecklist(content)
	if err != nil {
		return fail("%v", err)
	}
	digests, err := book.digests()
	if err != nil {
		return err
	}
	if bytes.Equal(content, report.Checklist(record, digests)) {
		return nil
	}
	// What is known with the digests that they were run with tell the two
	// reasons apart.
	for _, lab := range record.Labs {
		if lab.Digest != digests[report.LabsDigest] {
			return fail("the lessons or labs changed since the labs were run: run `make labs`, or `make checklist` to write down that the proof is gone")
		}
	}
	for _, e := range record.Stages {
		if now, there := digests[e.Stage]; !there || now != e.Digest {
			return fail("the sources of stage %s changed since they were run: run `make stage-%s`, or `make checklist` to write down that the proof is gone", e.Stage, e.Stage)
		}
	}
	return fail("CHECKLIST.md was edited by hand, or written when the sources were others: run `make checklist` to write it anew")
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%w: %s takes no argument %q", errUsage, c.CommandPath(), args[0])
	}
	return nil
}
