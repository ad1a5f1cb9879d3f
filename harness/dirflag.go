package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"example.com/importer/harness/matrix"
)

// dirFlag is the flag --dir, which names the folder of somebody's own version of a stage.
type dirFlag struct {
	dir     string
	command *cobra.Command
}

func (f *dirFlag) register(command *cobra.Command, usage string) {
	f.command = command
	command.Flags().StringVar(&f.dir, "dir", "", usage)
	_ = command.RegisterFlagCompletionFunc("dir", completeDir)
}

// of is the folder of the one stage that is wanted; empty if the flag is not given.
func (f *dirFlag) of(stages ...matrix.Stage) (string, error) {
	if !f.command.Flags().Changed("dir") {
		return "", nil
	}
	if len(stages) != 1 {
		return "", fmt.Errorf("%w: --dir holds one stage; %d are named", errUsage, len(stages))
	}
	if info, err := os.Stat(f.dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%w: --dir %q: there is no such folder; `harness start %s` makes work/%s", errUsage, f.dir, stages[0].ID, stages[0].ID)
	}
	return filepath.Clean(f.dir), nil
}
