package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/bench/apply"
	"example.com/importer/harness/bench/figures"
	"example.com/importer/harness/bench/measure"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
)

// take builds the programs, starts Redis, measures, and clears up.
func take(ctx context.Context, o options, say func(string)) (_ figures.Results, err error) {
	root, err := filepath.Abs(o.root)
	if err != nil {
		return figures.Results{}, fmt.Errorf("find the workbook: %w", err)
	}
	if _, err := os.Stat(apply.Path(root)); err != nil {
		return figures.Results{}, fmt.Errorf("%w: -root %s: it is not the workbook: %v", errUsage, o.root, err)
	}
	b := measure.Bench{Data: dataset.Teaching(), Stages: map[string]measure.Subject{}, Plan: measure.Full}
	if o.quick {
		b.Plan = measure.Quick
	}
	if b.DataDir, err = os.MkdirTemp("", "importer-bench-"); err != nil {
		return figures.Results{}, fmt.Errorf("make a data folder: %w", err)
	}
	defer os.RemoveAll(b.DataDir)
	if err := b.Data.Write(b.DataDir); err != nil {
		return figures.Results{}, err
	}
	if b.Script, err = apply.Load(apply.Path(root)); err != nil {
		return figures.Results{}, err
	}

	prepare, prepareCtx := errgroup.WithContext(ctx)
	prepare.Go(func() (err error) {
		b.Engine, err = engine.Open(prepareCtx, engine.Choice{Kind: engine.Container, Progress: say})
		return err
	})
	prepare.Go(func() error { return build(prepareCtx, root, &b, say) })
	err = prepare.Wait()
	if b.Engine != nil {
		defer func() { err = errors.Join(err, b.Engine.Close()) }()
	}
	if err != nil {
		return figures.Results{}, err
	}
	rounds, err := b.Take(ctx, say)
	if err != nil {
		return figures.Results{}, err
	}
	return figures.Sum(figures.Results{Redis: b.Engine.Label(), Go: runtime.Version(), CPUs: runtime.NumCPU(), Quick: o.quick}, rounds)
}

// build builds the stages as the harness does, and the peer like one.
func build(ctx context.Context, root string, b *measure.Bench, say func(string)) error {
	for _, id := range []string{"06", "07", "08"} {
		declared, _ := matrix.FindStage(id)
		stage, _, err := runner.BuildStage(ctx, runner.Options{Root: root, Progress: say}, declared)
		if err != nil {
			return fmt.Errorf("stage %s: %w", id, err)
		}
		b.Stages[id] = measure.Subject{Name: "stage-" + id, Stage: stage, Marks: id == "08"}
	}
	say("building the peer")
	dir, path := filepath.Join(root, "harness", "bench", "peer"), filepath.Join(root, ".build", "bench-peer")
	if err := program.Build(ctx, dir, path); err != nil {
		return err
	}
	b.Peer = measure.Subject{
		Name: "asynq", Stage: world.Stage{Path: path, Dir: dir, Works: true}, Marks: true,
		Extra: []string{"PEER_APPLY_SCRIPT=" + apply.Path(root)},
	}
	return nil
}
