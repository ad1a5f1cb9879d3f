// Package grade makes somebody else's work ready to be run: it is copied into a folder
// of its own, built there, and started from there. Nothing that decides about it is
// ever read from it.
package grade

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/sources"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/isolate"
	"example.com/importer/harness/world/program"
)

// buildWithin bounds the build of a submission.
const buildWithin = 5 * time.Minute

// Submission is a folder that is to be graded.
type Submission struct {
	// Isolation, if not nil, is where its build command and its programs run.
	Isolation *isolate.Isolation

	dir  string // whose it is: read once, and never run from
	work string // ours: the copy and what is built from it
}

// Open takes a folder. The error is about the path that was given; what is wrong with
// the submission itself shows when it is built. The caller calls Close.
func Open(dir string) (*Submission, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("the submission %q: there is no such folder", dir)
	}
	work, err := os.MkdirTemp("", "importer-grade-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the submission: %w", err)
	}
	return &Submission{dir: dir, work: work}, nil
}

// Close removes the copy.
func (s *Submission) Close() error { return os.RemoveAll(s.work) }

// Build copies the submission and builds the copy. What is the submission's own fault
// stands in Built; an error is the harness's or the machine's trouble.
func (s *Submission) Build(ctx context.Context, _ matrix.Stage) (runner.Built, error) {
	copied, home := filepath.Join(s.work, "submission"), filepath.Join(s.work, "home")
	if err := errors.Join(os.Mkdir(copied, 0o755), os.Mkdir(home, 0o755)); err != nil {
		return runner.Built{}, fmt.Errorf("make a folder for the submission: %w", err)
	}
	err := copyTree(s.dir, copied)
	if errors.Is(err, errSources) {
		return fails("the submission cannot be used", err), nil
	}
	if err != nil {
		return runner.Built{}, fmt.Errorf("copy the submission: %w", err)
	}
	if s.Isolation != nil {
		s.Isolation.Share(copied, "/submission")
	}
	digest, err := sources.Digest(copied)
	if errors.Is(err, sources.ErrOutside) {
		return fails("the submission cannot be used", err), nil
	}
	if err != nil {
		return runner.Built{}, err
	}
	limited, cancel := context.WithTimeout(ctx, buildWithin)
	defer cancel()
	run, err := s.build(limited, copied, home)
	var failed *program.BuildError
	built := runner.Built{Stage: run}
	switch {
	case errors.As(err, &failed):
		built = fails("the submission does not build", errors.New(failed.Output))
	case errors.Is(err, errManifest):
		built = fails("the submission cannot be used", err)
	case limited.Err() != nil && ctx.Err() == nil:
		built = fails("the submission does not build", fmt.Errorf("its build did not end within %v", buildWithin))
	case err != nil:
		return runner.Built{}, err
	}
	built.Digest = digest
	return built, nil
}

func fails(what string, why error) runner.Built {
	return runner.Built{What: what, Kind: results.BuildFailure, Failure: why.Error()}
}

// build builds by the manifest or, where there is none, as a Go program.
func (s *Submission) build(ctx context.Context, dir, home string) (world.Stage, error) {
	content, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s.buildGo(ctx, dir)
	case err != nil:
		return world.Stage{}, fmt.Errorf("read the manifest: %w", err)
	}
	manifest, err := parseManifest(content)
	if err != nil {
		return world.Stage{}, err
	}
	if err := s.runBuild(ctx, dir, home, manifest.Build); err != nil {
		return world.Stage{}, err
	}
	run := world.Stage{Dir: dir, Commands: map[string][]string{}}
	for command, words := range map[string][]string{
		"serve": manifest.Serve, "work": manifest.Work, "seed": manifest.Seed, "enqueue": manifest.Enqueue,
	} {
		path, err := s.lookPath(ctx, dir, words[0])
		if err != nil {
			return world.Stage{}, fmt.Errorf("the command %s of the submission: %w", command, err)
		}
		run.Commands[command] = append([]string{path}, words[1:]...)
	}
	return run, nil
}

func (s *Submission) buildGo(ctx context.Context, dir string) (world.Stage, error) {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return world.Stage{}, fmt.Errorf("%w: there is none, and no go.mod either: a submission is a Go module, or says in %s how it is built and started", errManifest, ManifestFile)
	}
	path := filepath.Join(s.work, "program", "importer")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		return world.Stage{}, fmt.Errorf("make a folder for the program: %w", err)
	}
	if s.Isolation != nil {
		s.Isolation.Share(filepath.Dir(path), "/program")
	}
	return world.Stage{Path: path, Dir: dir}, program.Build(ctx, dir, path)
}

// runBuild runs the submission's own build command, if it has one.
func (s *Submission) runBuild(ctx context.Context, dir, home string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	if s.Isolation != nil {
		return s.Isolation.Build(ctx, dir, words, buildWithin)
	}
	return program.BuildCommand(ctx, dir, home, words)
}

// lookPath finds the program that a command line begins with: in the submission or, without
// a slash in it, on PATH, which is that of the image where the submission is isolated.
func (s *Submission) lookPath(ctx context.Context, dir, name string) (string, error) {
	if s.Isolation == nil || strings.Contains(name, "/") {
		return program.LookPath(dir, name)
	}
	return name, s.Isolation.Find(ctx, name)
}
