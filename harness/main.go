// Harness runs the stages of the workbook from outside and says what it saw.
//
// Exit status: 0 all held, 1 something is broken, 2 wrong usage, 3 it could not
// be run.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"example.com/importer/harness/world/isolate/inside"
	"example.com/importer/harness/world/program"
)

// The exit statuses, as errors. Whoever returns one has said all there is to say.
var (
	errBroken   = errors.New("something is broken")
	errUsage    = errors.New("wrong usage")
	errNotProof = errors.New("could not run")
	// errStopped is the end of what goes on until somebody ends it.
	errStopped = errors.New("was stopped")
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == inside.Command {
		os.Exit(inside.Main()) // in the container of an isolated program
	}
	grading := len(os.Args) > 1 && os.Args[1] == "grade"
	if grading {
		if err := alone(); err != nil {
			os.Exit(exitStatus(err))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	if ctx.Err() != nil && !errors.Is(err, errStopped) {
		err = fmt.Errorf("%w: interrupted", errNotProof)
	}
	stop()
	if grading {
		program.EndAdopted()
	}
	os.Exit(exitStatus(err))
}

// alone prepares this process for programs that nobody trusts: they find no secrets in
// its environment, cannot change what it finds, and what they leave behind comes to it and is ended.
func alone() error {
	if err := scrub(); err != nil {
		return err
	}
	if err := program.Shield(); err != nil {
		return err
	}
	return program.Adopt()
}

func exitStatus(err error) int {
	switch {
	case err == nil, errors.Is(err, errStopped):
		return 0
	case errors.Is(err, errBroken):
		return 1
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, "harness:", err)
		return 2
	default:
		fmt.Fprintln(os.Stderr, "harness:", err)
		return 3
	}
}

func root() *cobra.Command {
	command := &cobra.Command{
		Use:           "harness",
		Short:         "Runs the stages of the importer workbook against a real Redis",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%w: there is no command %q; see harness --help", errUsage, args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	command.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w: %v; see %s --help", errUsage, err, c.CommandPath())
	})
	command.AddCommand(runCommand(), gradeCommand(), mapCommand(), replayCommand(), stormCommand(), labsCommand(), checklistCommand())
	command.AddCommand(startCommand(), watchCommand(), hintCommand(), progressCommand(), playCommand(), doctorCommand())
	return command
}
