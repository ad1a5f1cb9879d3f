package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"example.com/importer/harness/grade"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/isolate"
)

// gradeFlags are the flags of harness grade.
type gradeFlags struct {
	engineFlags
	stage        string
	seed         uint64
	only         []string
	points, show string
	json, junit  string
	summary      string
	isolate      bool
	image        string
}

func gradeCommand() *cobra.Command {
	var flags gradeFlags
	command := &cobra.Command{
		Use:   "grade --stage NN DIR",
		Short: "Build and run somebody's stage, and say what it is worth",
		Long: `Build and run a stage from any folder, by the contract alone (stages/CONTRACT.md).

The folder is copied, built in the copy and run from there. A Go module needs nothing
else; anything else says in ` + grade.ManifestFile + ` how it is built and started. CHECKLIST.md is
not touched.

Exit status: 0 all that is required held; 1 something is broken: it does not build,
does not listen, crashed, was too late or did something wrong, as the report says;
2 wrong usage; 3 the harness or the machine had trouble, and nothing is said about
the submission.`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%w: %s takes one folder, not %d", errUsage, c.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return flags.run(c, args[0]) },
	}
	f := command.Flags()
	f.StringVar(&flags.stage, "stage", "", "the stage that the folder is to be: 05, 06, 07 or 08")
	flags.engineFlags.register(command)
	f.StringSliceVar(&flags.only, "only", nil, "run only these scenarios and checks")
	f.Uint64Var(&flags.seed, "seed", 0, "seed of the second data set (default: a new one for every grade)")
	f.StringVar(&flags.points, "points", "", "a table of points to use in the place of the workbook's (harness/grade/points.csv)")
	f.StringVar(&flags.show, "show", "full", "what the reports tell: full, or rule-only (no data, no evidence, no seed)")
	f.StringVar(&flags.json, "json", "", "write the results to this file")
	f.StringVar(&flags.junit, "junit", "", "write the results as JUnit XML to this file")
	f.StringVar(&flags.summary, "summary", "", "append the results as Markdown to this file (default: $GITHUB_STEP_SUMMARY)")
	f.BoolVar(&flags.isolate, "isolate", false, "run each program of the submission in a container of its own, without network (Linux, Docker)")
	f.StringVar(&flags.image, "image", "", "with --isolate: the image that holds what the submission needs, such as python:3.13-slim (default: an empty one)")
	return command
}

func (f gradeFlags) run(c *cobra.Command, dir string) (err error) {
	stage, ok := matrix.FindStage(f.stage)
	if !ok {
		return fmt.Errorf("%w: --stage %q: allowed are 05, 06, 07 and 08", errUsage, f.stage)
	}
	if f.show != "full" && f.show != "rule-only" {
		return fmt.Errorf("%w: --show %q: allowed are full and rule-only", errUsage, f.show)
	}
	if c.Flags().Changed("only") && len(f.only) == 0 {
		return fmt.Errorf("%w: --only names nothing; leave it out to run all", errUsage)
	}
	if err := knownNames(f.only); err != nil {
		return err
	}
	table, err := f.table()
	if err != nil {
		return err
	}
	wanted, err := f.choice()
	if err != nil {
		return err
	}
	if !c.Flags().Changed("seed") {
		f.seed = rand.Uint64N(1_000_000)
	}
	if f.image != "" && !f.isolate {
		return fmt.Errorf("%w: --image %q is for --isolate only", errUsage, f.image)
	}
	if f.isolate && runtime.GOOS != "linux" {
		return fmt.Errorf("%w: --isolate on %s: it is for linux only", errUsage, runtime.GOOS)
	}
	submission, err := grade.Open(dir)
	if err != nil {
		return fmt.Errorf("%w: %v", errUsage, err)
	}
	defer func() { err = errors.Join(err, submission.Close()) }()
	faces, err := f.openFaces(c.OutOrStdout())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, faces.Close()) }()

	options := runner.Options{
		Stages: []matrix.Stage{stage}, Only: f.only, Seed: f.seed, Optional: table.Optional(),
		Progress: progress(c.ErrOrStderr()), Build: submission.Build,
		Replay: func(s matrix.Stage) string {
			return fmt.Sprintf(".build/harness grade --stage %s%s %s", s.ID, f.isolated(), dir)
		},
	}
	wanted.Progress = options.Progress
	if f.isolate {
		wanted.Closed = true
		syscall.Umask(0o022) // what the programs are to read is read by another user than ours
		isolation, failed := isolate.Open(c.Context(), isolate.Options{Image: f.image, Progress: options.Progress})
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, isolation.Close()) }()
		submission.Isolation, options.Isolation = isolation, isolation
	}
	var redis *engine.Engine
	options.Redis = func(ctx context.Context) (_ *engine.Engine, err error) {
		redis, err = openEngine(ctx, wanted)
		return redis, err
	}
	found, err := runner.Run(c.Context(), options)
	if redis != nil {
		err = errors.Join(err, redis.Close())
	}
	if err != nil {
		return err
	}
	table.Apply(&found)
	told := found
	if f.show == "rule-only" {
		told = results.RuleOnly(found)
	}
	if err := faces.write(told); err != nil {
		return err
	}
	return verdict(found)
}

// isolated are the flags of the isolation, for the command that runs it again.
func (f gradeFlags) isolated() string {
	switch {
	case f.image != "":
		return " --isolate --image " + f.image
	case f.isolate:
		return " --isolate"
	}
	return ""
}

func (f gradeFlags) table() (grade.Table, error) {
	if f.points == "" {
		return grade.DefaultTable(), nil
	}
	content, err := os.ReadFile(f.points)
	if err != nil {
		return grade.Table{}, fmt.Errorf("%w: --points: %v", errUsage, err)
	}
	table, err := grade.ParseTable(f.points, content)
	if err != nil {
		return grade.Table{}, fmt.Errorf("%w: --points: %v", errUsage, err)
	}
	return table, nil
}
