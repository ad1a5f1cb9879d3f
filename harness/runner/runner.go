// Package runner runs the declared matrix: it builds the stages, opens the
// engine, lets every story and check happen, and has the checker judge.
package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/check"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/sources"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/isolate"
	"example.com/importer/harness/world/program"
)

// sideBySide is how many cells run at once. They mostly wait for programs, so
// there may be more of them than cores, and each has a database of its own.
const sideBySide = 6

// Options say what to run.
type Options struct {
	Root     string                                        // of the workbook: holds stages/
	Dir      string                                        // holds the one stage of Stages; empty: the reference's folder
	Stages   []matrix.Stage                                // in this order
	Only     []string                                      // names of scenarios and checks; empty: all
	Redis    func(context.Context) (*engine.Engine, error) // whoever made the engine closes it
	Own      *engine.Own                                   // a Redis for what a whole server must suffer; nil: one for this run
	Seed     uint64
	Progress func(string) // one line at a time; called from several goroutines
	// Isolation gives each program a container of its own; nil: they are processes of this
	// machine. Whoever opened it closes it.
	Isolation *isolate.Isolation

	// Build makes the program of a stage; nil: of the stage's folder in the workbook.
	Build func(context.Context, matrix.Stage) (Built, error)
	// Optional names the scenarios and checks that a stage does not need.
	Optional []string
	// Replay is the command that runs a stage again, for reports; nil: that of the workbook.
	Replay func(matrix.Stage) string
}

// Built is how a stage is started, or why it cannot be.
type Built struct {
	Stage   world.Stage
	Digest  string       // of its sources
	What    string       // what it fails at, by its own fault; empty if it was built
	Kind    results.Kind // which sort of failure that is
	Failure string       // in its words
}

// Run runs the stages and returns what was found. An error means that nothing
// could be run at all: no engine, no disk, ctx has ended. What is the stages'
// own fault stands in the results.
func Run(ctx context.Context, o Options) (_ results.Results, err error) {
	root, err := filepath.Abs(o.Root) // a program is started by its absolute path
	if err != nil {
		return results.Results{}, fmt.Errorf("find %s: %w", o.Root, err)
	}
	o.Root = root
	watch := newStopwatch()
	work, err := os.MkdirTemp("", "importer-harness-")
	if err != nil {
		return results.Results{}, fmt.Errorf("make a folder for this run: %w", err)
	}
	defer os.RemoveAll(work)
	// What the programs may read lies in a folder of its own.
	scratch := filepath.Join(work, "data")
	if err := os.Mkdir(scratch, 0o755); err != nil {
		return results.Results{}, fmt.Errorf("make a data folder: %w", err)
	}
	data := []dataset.Data{dataset.Teaching(), dataset.Seeded(o.Seed)}
	dirs := make([]string, len(data))
	for i, d := range data {
		dirs[i] = filepath.Join(scratch, d.Name)
		if err := os.Mkdir(dirs[i], 0o755); err != nil {
			return results.Results{}, fmt.Errorf("make a data folder: %w", err)
		}
		if err := d.Write(dirs[i]); err != nil {
			return results.Results{}, err
		}
	}

	// Redis starts while the stages are built.
	var redis *engine.Engine
	builds := make([]*build, len(o.Stages))
	prepare, prepareCtx := errgroup.WithContext(ctx)
	prepare.Go(func() (err error) {
		defer watch.lap(&watch.took.Engine)()
		redis, err = o.Redis(prepareCtx)
		return err
	})
	watch.took.Builds = make([]results.Build, len(o.Stages))
	for i, stage := range o.Stages {
		watch.took.Builds[i].Stage = stage.ID
		prepare.Go(func() (err error) {
			defer watch.lap(&watch.took.Builds[i].Millis)()
			builds[i], err = o.build(prepareCtx, stage)
			return err
		})
	}
	if err := prepare.Wait(); err != nil {
		return results.Results{}, err
	}

	found := results.Results{Format: results.Format, Seed: o.Seed, Engine: results.Engine{
		Kind: string(redis.Kind()), Label: redis.Label(), Server: redis.Version().String(), Rehearsal: redis.Rehearsal(),
	}}
	if o.Isolation != nil {
		o.Isolation.Share(scratch, "/data")
		found.Isolation = o.Isolation.Told()
	}
	var cells errgroup.Group
	cells.SetLimit(sideBySide)
	for i := range o.Stages {
		found.Stages = append(found.Stages, builds[i].blank(o))
	}
	own := o.Own
	if own == nil && redis.Kind() == engine.Container {
		own = &engine.Own{Choice: engine.Choice{Kind: engine.Container, Closed: o.Isolation != nil}}
		defer func() { err = errors.Join(err, own.Close()) }()
	}
	done := watch.lap(&watch.took.SideBySide)
	var sessions []*session
	for i := range o.Stages {
		s := &session{Options: o, engine: redis, own: own, build: builds[i], data: data, dirs: dirs, scratch: scratch, found: &found.Stages[i]}
		sessions = append(sessions, s)
		if err := s.tryToStart(ctx); err != nil {
			return results.Results{}, err
		}
		s.schedule(ctx, &cells)
	}
	_ = cells.Wait() // a cell has no error of its own: what went wrong is its verdict
	done()
	for _, s := range sessions {
		done = watch.lap(&watch.took.Alone)
		s.runAlone(ctx)
		done()
		done = watch.lap(&watch.took.Again)
		s.lookAgain(ctx)
		done()
	}
	if err := ctx.Err(); err != nil {
		return results.Results{}, fmt.Errorf("run: %w", context.Cause(ctx))
	}
	found.Timings = watch.timings()
	results.Clean(&found, program.Sanitise)
	for i, b := range builds {
		found.Stages[i].Failure = b.Failure // of several lines, made harmless one by one
		if err := b.finish(&found.Stages[i], found.Engine); err != nil {
			return results.Results{}, err
		}
		if len(o.Only) > 0 {
			found.Stages[i].Status = results.Status{Reason: "only a part of it was run"}
		}
	}
	return found, nil
}

// build is one stage that is to be run.
type build struct {
	Built
	stage matrix.Stage
	dir   string // of its sources, if they may change while they run
}

func (o Options) build(ctx context.Context, stage matrix.Stage) (*build, error) {
	b := &build{stage: stage}
	make := o.Build
	if make == nil {
		b.dir = o.folder(stage)
		make = o.reference
	}
	var err error
	b.Built, err = make(ctx, stage)
	b.Stage.Works = stage.Works
	return b, err
}

// folder is where the stage's sources are: in the workbook, or where somebody wrote it.
func (o Options) folder(stage matrix.Stage) string {
	if o.Dir != "" {
		return o.Dir
	}
	return filepath.Join(o.Root, "stages", stage.Folder())
}

// reference builds the stage's folder.
func (o Options) reference(ctx context.Context, stage matrix.Stage) (Built, error) {
	dir := o.folder(stage)
	digest, err := sources.Digest(dir)
	if err != nil {
		return Built{}, err
	}
	// The program stays where it was built: an unchanged stage need not be linked again.
	path := filepath.Join(o.Root, ".build", "importer-"+stage.ID)
	if o.Dir != "" {
		path += "-own"
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return Built{}, fmt.Errorf("make a folder for stage %s: %w", stage.ID, err)
	}
	o.Progress("building stage " + stage.ID + firstTime(path))
	built := Built{Stage: world.Stage{Path: path, Dir: dir}, Digest: digest}
	err = program.Build(ctx, dir, path)
	var failed *program.BuildError
	if errors.As(err, &failed) {
		built.What, built.Kind, built.Failure = "the stage does not build", results.BuildFailure, failed.Output
		return built, nil
	}
	if err != nil {
		return Built{}, fmt.Errorf("build stage %s: %w", stage.ID, err)
	}
	return built, nil
}

// firstTime warns of the long first build, in which everything is compiled.
func firstTime(program string) string {
	if _, err := os.Stat(program); err == nil {
		return ""
	}
	return " (the first time on a machine takes a minute)"
}

// blank has a place for everything that is declared, whatever the stage does.
func (b *build) blank(o Options) results.Stage {
	s := results.Stage{
		ID: b.stage.ID, Name: b.stage.Name, Dir: o.Dir, Digest: b.Digest, Fails: b.What, Kind: b.Kind, Failure: b.Failure,
		Cells: []results.Cell{}, Promises: []results.Promise{}, Replay: replay(b.stage.ID, o.Dir),
	}
	if o.Replay != nil {
		s.Replay = o.Replay(b.stage)
	}
	for _, cell := range b.stage.Cells {
		if o.wants(cell.Scenario) {
			s.Cells = append(s.Cells, results.Cell{Scenario: cell.Scenario, Why: cell.Why, See: cell.See, Runs: make([]results.Run, 2), Optional: slices.Contains(o.Optional, cell.Scenario)})
		}
	}
	for _, p := range matrix.PromisesOf(b.stage.ID) {
		if o.wants(p.Name) {
			s.Promises = append(s.Promises, results.Promise{Name: p.Name, Title: p.Title, Optional: slices.Contains(o.Optional, p.Name)})
		}
	}
	return s
}

// finish gives the stage its status, if its sources are still those that ran.
func (b *build) finish(s *results.Stage, e results.Engine) error {
	for i := range s.Cells {
		var verdicts []results.Verdict
		for _, run := range s.Cells[i].Runs {
			verdicts = append(verdicts, run.Verdict)
		}
		s.Cells[i].Verdict = results.Worst(verdicts...)
	}
	s.Status = check.Status(*s, e)
	if b.dir == "" {
		return nil
	}
	now, err := sources.Digest(b.dir)
	if err != nil {
		return err
	}
	if now != b.Digest {
		s.Status = results.Status{Reason: "sources changed while they were run"}
	}
	return nil
}

func (o Options) wants(name string) bool {
	return len(o.Only) == 0 || slices.Contains(o.Only, name)
}

// BuildStage builds one stage, in o.Dir or else the reference below o.Root, and returns how
// its programs are started, and the digest of its sources. A *program.BuildError is the
// stage's own fault.
func BuildStage(ctx context.Context, o Options, stage matrix.Stage) (world.Stage, string, error) {
	b, err := o.build(ctx, stage)
	if err != nil {
		return world.Stage{}, "", err
	}
	if b.What != "" {
		return world.Stage{}, "", &program.BuildError{Output: b.Failure}
	}
	return b.Stage, b.Digest, nil
}
