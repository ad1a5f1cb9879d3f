package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
)

func runCommand() *cobra.Command {
	var jsonFile string
	var timings bool
	var where engineFlags
	var own dirFlag
	options := runner.Options{}
	command := &cobra.Command{
		Use:   "run STAGE...",
		Short: "Run scenarios and checks of stages and write down what was proven",
		Args: func(_ *cobra.Command, args []string) (err error) {
			options.Stages, err = stagesOf(args)
			return err
		},
		ValidArgsFunction: completeStages,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			if c.Flags().Changed("only") && len(options.Only) == 0 {
				return fmt.Errorf("%w: --only names nothing; leave it out to run all", errUsage)
			}
			if err := knownNames(options.Only); err != nil {
				return err
			}
			if options.Dir, err = own.of(options.Stages...); err != nil {
				return err
			}
			wanted, err := where.choice()
			if err != nil {
				return err
			}
			if !c.Flags().Changed("seed") {
				options.Seed = rand.Uint64N(1_000_000)
			}
			options.Root = string(book)
			options.Progress = progress(c.ErrOrStderr())
			wanted.Progress = options.Progress
			var redis *engine.Engine
			options.Redis = func(ctx context.Context) (_ *engine.Engine, err error) {
				redis, err = openEngine(ctx, wanted)
				return redis, err
			}
			err = run(c, book, options, jsonFile, timings)
			if redis != nil {
				err = errors.Join(err, redis.Close())
			}
			return err
		},
	}
	flags := command.Flags()
	where.register(command)
	flags.StringSliceVar(&options.Only, "only", nil, "run only these scenarios and checks; the checklist stays as it is")
	own.register(command, "run the stage in this folder instead of the reference; the checklist stays as it is")
	flags.Uint64Var(&options.Seed, "seed", 0, "seed of the second data set (default: a new one for every run)")
	flags.StringVar(&jsonFile, "json", "", "write the results to this file")
	flags.BoolVar(&timings, "timings", false, "say where the time went; the results have it in any case")
	_ = command.RegisterFlagCompletionFunc("only", completeCheck)
	return command
}

func run(c *cobra.Command, book workbook, options runner.Options, jsonFile string, timings bool) error {
	// The file is opened first: not to be able to write is better known before.
	out, err := createJSON(jsonFile)
	if err != nil {
		return err
	}
	defer out.Close()
	record, err := book.record()
	if err != nil && !errors.Is(err, report.ErrEdited) {
		return err
	}
	found, err := runner.Run(c.Context(), options)
	if err != nil {
		return err
	}
	report.Terminal(c.OutOrStdout(), found, mayColour(c.OutOrStdout()))
	if timings {
		report.Timings(c.OutOrStdout(), found)
	}
	if err := report.JSON(out, found); err != nil {
		return fmt.Errorf("write the results to %s: %w", jsonFile, err)
	}
	if err := book.saveLast(found); err != nil {
		return err
	}
	if len(options.Only) == 0 && options.Dir != "" {
		book.tellProgress(c, found)
	}
	if len(options.Only) == 0 && options.Dir == "" {
		for _, stage := range found.Stages {
			record.Stages = slices.DeleteFunc(record.Stages, func(e report.Entry) bool { return e.Stage == stage.ID })
			record.Stages = append(record.Stages, report.NewEntry(stage, found.Engine))
		}
		if err := book.write(record); err != nil {
			return err
		}
	}
	return verdict(found)
}

// verdict is the exit status of a whole run: broken beats what could not run.
func verdict(found results.Results) error {
	worst := results.Holds
	for _, stage := range found.Stages {
		for _, cell := range stage.Cells {
			if !cell.Optional {
				worst = results.Worst(worst, cell.Verdict)
			}
		}
		for _, promise := range stage.Promises {
			if promise.Optional {
				continue
			}
			// On an imitation some promises cannot be looked at. Nothing is proven there
			// anyway, and nobody did anything wrong.
			if promise.Verdict != results.NotRun || found.Engine.Rehearsal == "" {
				worst = results.Worst(worst, promise.Verdict)
			}
		}
	}
	switch worst {
	case results.Broken:
		return errBroken
	case results.NotRun, results.Error:
		return fmt.Errorf("%w: not everything could be proven; see the report", errNotProof)
	}
	return nil
}

func stagesOf(args []string) ([]matrix.Stage, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("%w: name a stage: %s", errUsage, strings.Join(matrix.IDs(), ", "))
	}
	var stages []matrix.Stage
	for _, id := range args {
		stage, ok := matrix.FindStage(id)
		if !ok {
			return nil, fmt.Errorf("%w: there is no stage %q; the stages are %s", errUsage, id, strings.Join(matrix.IDs(), ", "))
		}
		if slices.ContainsFunc(stages, func(s matrix.Stage) bool { return s.ID == id }) {
			return nil, fmt.Errorf("%w: stage %s is named twice", errUsage, id)
		}
		stages = append(stages, stage)
	}
	return stages, nil
}

func knownNames(only []string) error {
	var names []string
	for _, s := range matrix.Scenarios {
		names = append(names, s.Name)
	}
	for _, p := range matrix.Promises {
		names = append(names, p.Name)
	}
	for i := range only {
		only[i] = strings.TrimSpace(only[i])
		name := only[i]
		if !slices.Contains(names, name) {
			return fmt.Errorf("%w: --only %q: allowed are %s", errUsage, name, strings.Join(names, ", "))
		}
	}
	return nil
}

// createJSON opens the file for the results, or throws them away.
func createJSON(path string) (io.WriteCloser, error) {
	if path == "" {
		return discard{io.Discard}, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("%w: --json: %v", errUsage, err)
	}
	return file, nil
}

type discard struct{ io.Writer }

func (discard) Close() error { return nil }

// progress writes one line at a time, from whichever goroutine.
func progress(w io.Writer) func(string) {
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(w, "·", line)
	}
}

func mayColour(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
