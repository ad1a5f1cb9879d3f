package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
)

// bench is one stage ready to be worked on: built, with the teaching data and a Redis.
type bench struct {
	config world.Config
	engine results.Engine
	digest string
	dir    string // of the sources, if they are not the reference's
}

// source says whose stage is looked at, and on which Redis.
type source struct {
	engineFlags
	dirFlag
}

func (s *source) register(command *cobra.Command) {
	s.engineFlags.register(command)
	s.dirFlag.register(command, "the stage in this folder instead of the reference, such as "+start.Folder("", "08"))
}

// withBench makes a bench, hands it out and clears up.
func withBench(c *cobra.Command, book workbook, from source, stage matrix.Stage, use func(context.Context, bench) error) (err error) {
	wanted, err := from.choice()
	if err != nil {
		return err
	}
	sources, err := from.of(stage)
	if err != nil {
		return err
	}
	say := progress(c.ErrOrStderr())
	wanted.Progress = say
	data := dataset.Teaching()
	dir, err := os.MkdirTemp("", "importer-harness-")
	if err != nil {
		return fmt.Errorf("make a folder for this run: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := data.Write(dir); err != nil {
		return err
	}

	b := bench{config: world.Config{Data: data, DataDir: dir}, dir: sources}
	prepare, ctx := errgroup.WithContext(c.Context())
	prepare.Go(func() (err error) {
		b.config.Engine, err = openEngine(ctx, wanted)
		return err
	})
	prepare.Go(func() (err error) {
		b.config.Stage, b.digest, err = runner.BuildStage(ctx, runner.Options{Root: string(book), Dir: sources, Progress: say}, stage)
		return err
	})
	err = prepare.Wait()
	if redis := b.config.Engine; redis != nil {
		defer func() { err = errors.Join(err, redis.Close()) }()
	}
	var failed *program.BuildError
	if errors.As(err, &failed) {
		fmt.Fprintf(c.ErrOrStderr(), "harness: stage %s does not build:\n%s\n", stage.ID, failed.Output)
		return errBroken
	}
	if err != nil {
		return err
	}
	redis := b.config.Engine
	b.engine = engineOf(redis)
	return use(c.Context(), b)
}

func engineOf(redis *engine.Engine) results.Engine {
	return results.Engine{Kind: string(redis.Kind()), Label: redis.Label(), Server: redis.Version().String(), Rehearsal: redis.Rehearsal()}
}
