package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/matrix"
)

func startCommand() *cobra.Command {
	var stage matrix.Stage
	var reset string
	var yes bool
	command := &cobra.Command{
		Use:               "start STAGE",
		Short:             "Make work/NN, in which you write a stage yourself",
		Long:              "Make work/NN from the sources of the stage before, with what the lesson teaches left to do.\nA folder that is there is never written over; --reset puts one file back.",
		Args:              thisStage(&stage),
		ValidArgsFunction: completeStage,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			plan, err := start.NewPlan(string(book), stage)
			if err != nil {
				return err
			}
			dir := book.shown(start.Folder(string(book), stage.ID))
			if c.Flags().Changed("reset") {
				return resetFile(c, plan, dir, reset, yes)
			}
			return makeFolder(c, plan, dir)
		},
	}
	command.Flags().StringVar(&reset, "reset", "", "put this one file of work/NN back as it was at the start; asks first")
	command.Flags().BoolVar(&yes, "yes", false, "with --reset: do not ask")
	_ = command.RegisterFlagCompletionFunc("reset", completeStartFile)
	return command
}

func makeFolder(c *cobra.Command, plan start.Plan, dir string) error {
	err := plan.Make(dir)
	if errors.Is(err, start.ErrExists) {
		return fmt.Errorf("%w: %s is there already, and nothing is written over: go on in it, put one file back with `harness start %s --reset FILE`, or move it away to begin anew",
			errUsage, dir, plan.Stage.ID)
	}
	if err != nil {
		return err
	}
	tellStart(c.OutOrStdout(), plan, dir)
	return nil
}

func tellStart(out io.Writer, plan start.Plan, dir string) {
	todos := plan.Todos()
	fmt.Fprintf(out, "%s is made. It compiles, and there are %d things to do in it:\n\n", dir, len(todos))
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, t := range todos {
		fmt.Fprintf(rows, "  %s\t%s:%d\t%s\n", t.ID, filepath.Join(dir, t.File), t.Line, t.What)
	}
	rows.Flush()
	var given []string
	for _, f := range plan.Files {
		if f.Origin == start.Given && !strings.HasPrefix(f.Name, "go.") {
			given = append(given, f.Name)
		}
	}
	if n := len(given); n > 0 && plan.Stage.ID != matrix.Stages[0].ID {
		fmt.Fprintf(out, "\nNew in this stage and given: %s.\n", strings.Join(given, ", "))
	}
	lesson, _, _ := strings.Cut(todos[0].Lesson, "#")
	fmt.Fprintf(out, `
  lessons/%s   explains them
  make watch-%[2]s   runs the stage whenever you save
  make hint-%[2]s    helps, a little at a time
`, lesson, plan.Stage.ID)
}

func resetFile(c *cobra.Command, plan start.Plan, dir, name string, yes bool) error {
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("%w: there is no %s; `harness start %s` makes it", errUsage, dir, plan.Stage.ID)
	}
	name = filepath.ToSlash(filepath.Clean(name))
	changed, err := plan.Changed(dir, name)
	if errors.Is(err, start.ErrNoFile) {
		return fmt.Errorf("%w: --reset %w", errUsage, err)
	}
	if err != nil {
		return err
	}
	place := filepath.Join(dir, name)
	if !changed {
		fmt.Fprintf(c.OutOrStdout(), "%s is as it was at the start.\n", place)
		return nil
	}
	if !yes {
		sure, err := ask(c, fmt.Sprintf("Put %s back as it was at the start? What you wrote in it is lost.", place))
		if err != nil {
			return err
		}
		if !sure {
			fmt.Fprintf(c.OutOrStdout(), "%s stays as it is.\n", place)
			return nil
		}
	}
	if err := plan.Reset(dir, name); err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s is as it was at the start.\n", place)
	return nil
}

// ask wants a person who answers; anything but y is no.
func ask(c *cobra.Command, question string) (bool, error) {
	if file, ok := c.InOrStdin().(*os.File); ok && !term.IsTerminal(int(file.Fd())) {
		return false, fmt.Errorf("%w: %s There is no terminal to ask on: add --yes", errUsage, question)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s [y/N] ", question)
	answer, err := bufio.NewReader(c.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}
