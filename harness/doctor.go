package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"

	"example.com/importer/harness/learn/doctor"
)

func doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look whether this machine has what is needed, and say what to do",
		Args:  noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			least, err := book.goVersion()
			if err != nil {
				return err
			}
			findings := doctor.Examine(c.Context(), doctor.Machine{Workbook: string(book), GoMin: least})
			doctor.Write(c.OutOrStdout(), findings, stateColours(mayColour(c.OutOrStdout())))
			if doctor.Worst(findings) == doctor.NoRun {
				return fmt.Errorf("%w: see what is needed", errNotProof)
			}
			return nil
		},
	}
}

// goVersion is the oldest Go that builds the workbook.
func (w workbook) goVersion() (string, error) {
	path := filepath.Join(string(w), "go.work")
	content, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the workbook's Go version: %w", err)
	}
	work, err := modfile.ParseWork(path, content, nil)
	if err != nil {
		return "", fmt.Errorf("read the workbook's Go version: %w", err)
	}
	if work.Go == nil {
		return "", fmt.Errorf("%s names no Go version", path)
	}
	return work.Go.Version, nil
}

func stateColours(colour bool) func(doctor.State, string) string {
	colours := map[doctor.State]text.Color{
		doctor.OK: text.FgGreen, doctor.Note: text.FgCyan, doctor.NoProof: text.FgYellow, doctor.NoRun: text.FgRed,
	}
	return func(s doctor.State, word string) string {
		if !colour {
			return word
		}
		return colours[s].EscapeSeq() + word + text.Reset.EscapeSeq()
	}
}
