package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
	"example.com/importer/harness/storm"
	"example.com/importer/harness/world/program"
)

// shrinkFor is how long a storm that fails is made smaller.
const shrinkFor = time.Minute

func stormCommand() *cobra.Command {
	var from source
	var seed uint64
	var size storm.Size
	var jsonFile string
	command := &cobra.Command{
		Use:   "storm STAGE",
		Short: "Import many batches while faults fire at random",
		Args:  oneStage,
		RunE: func(c *cobra.Command, args []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			stage, _ := matrix.FindStage(args[0])
			if !stage.Works {
				return fmt.Errorf("%w: stage %s has no worker, so that no fault can hit one", errUsage, stage.ID)
			}
			if err := size.Check(); err != nil {
				return fmt.Errorf("%w: %v", errUsage, err)
			}
			if !c.Flags().Changed("seed") {
				seed = rand.Uint64N(1_000_000)
			}
			out, err := createJSON(jsonFile)
			if err != nil {
				return err
			}
			defer out.Close()
			return withBench(c, book, from, stage, func(ctx context.Context, b bench) error {
				options := storm.Options{Stage: stage, Config: b.config}
				if size.Commands, err = storm.Commands(ctx, options); err != nil {
					return err
				}
				found, err := stormOf(c, b, options, storm.NewPlan(stage.ID, seed, size), filepath.Join(string(book), ".build"))
				if err != nil {
					return err
				}
				if err := report.JSON(out, found); err != nil {
					return fmt.Errorf("write the results to %s: %w", jsonFile, err)
				}
				return stormVerdict(found)
			})
		},
		ValidArgs: matrix.IDs(),
	}
	from.register(command)
	flags := command.Flags()
	flags.Uint64Var(&seed, "seed", 0, "seed of the storm (default: a new one)")
	flags.IntVar(&size.Batches, "batches", 200, "how many batches arrive; about a third are asked for again")
	flags.IntVar(&size.Workers, "workers", 3, "how many workers there are at any time")
	flags.IntVar(&size.Faults, "faults", 40, "how many faults are planned")
	flags.StringVar(&jsonFile, "json", "", "write the results to this file")
	return command
}

// stormOf lets a storm happen, reports it, and makes one that fails small.
func stormOf(c *cobra.Command, b bench, options storm.Options, plan storm.Plan, keepIn string) (results.Storm, error) {
	found, err := judged(c.Context(), b, options, plan)
	if err != nil {
		return found, err
	}
	report.Storm(c.OutOrStdout(), found, mayColour(c.OutOrStdout()))
	if len(found.Findings) == 0 || keepIn == "" {
		return found, nil
	}
	say := progress(c.ErrOrStderr())
	say("making it small")
	small, err := storm.Shrink(c.Context(), plan, shrinkFor, func(ctx context.Context, p storm.Plan) (bool, error) {
		again, err := storm.Judge(ctx, options, p)
		say(fmt.Sprintf("%d faults, %d batches, %d requests: %s", len(p.Strikes), len(p.Batches()), len(p.Asks), again.Verdict))
		return len(again.Findings) > 0, err
	})
	if err != nil {
		return found, err
	}
	path := filepath.Join(keepIn, fmt.Sprintf("storm-%s-%d.json", plan.Stage, plan.Seed))
	file, err := os.Create(path)
	if err != nil {
		return found, fmt.Errorf("keep the schedule: %w", err)
	}
	defer file.Close()
	if err := small.Write(file); err != nil {
		return found, fmt.Errorf("keep the schedule in %s: %w", path, err)
	}
	fmt.Fprintf(c.OutOrStdout(), "\n  It also fails with %d faults, %d batches and %d requests:\n", len(small.Strikes), len(small.Batches()), len(small.Asks))
	for _, s := range small.Strikes {
		fmt.Fprintf(c.OutOrStdout(), "    %s\n", s)
	}
	fmt.Fprintf(c.OutOrStdout(), "  again: %s\n", report.Replay(filepath.Join(".build", filepath.Base(path)), b.dir))
	return found, nil
}

// judged fills in what only the bench knows.
func judged(ctx context.Context, b bench, options storm.Options, plan storm.Plan) (results.Storm, error) {
	found, err := storm.Judge(ctx, options, plan)
	found.Engine, found.Dir = b.engine, b.dir
	results.CleanStorm(&found, program.Sanitise)
	return found, err
}

func stormVerdict(s results.Storm) error {
	switch s.Verdict {
	case results.Broken:
		return errBroken
	case results.NotRun, results.Error:
		return fmt.Errorf("%w: %s", errNotProof, s.Reason)
	}
	return nil
}

// replayStorm runs a schedule that was kept.
func replayStorm(c *cobra.Command, from source, path string) error {
	book, err := findWorkbook()
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%w: %v", errUsage, err)
	}
	defer file.Close()
	plan, err := storm.ReadPlan(file)
	if err != nil {
		return fmt.Errorf("%w: %s: %v", errUsage, path, err)
	}
	if err := oneStage(c, []string{plan.Stage}); err != nil {
		return err
	}
	stage, _ := matrix.FindStage(plan.Stage)
	return withBench(c, book, from, stage, func(ctx context.Context, b bench) error {
		found, err := stormOf(c, b, storm.Options{Stage: stage, Config: b.config}, plan, "")
		if err != nil {
			return err
		}
		return stormVerdict(found)
	})
}
