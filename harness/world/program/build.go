package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// BuildError means that the stage does not build: the learner's fault, not the
// harness's.
type BuildError struct {
	// Dir is the stage's folder.
	Dir string
	// Output is what the compiler said, sanitised and trimmed to about 50 lines.
	Output string
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("build %s: the program does not compile:\n%s", e.Dir, e.Output)
}

// ErrNoGo means that there is no go tool to build with: the machine's trouble.
var ErrNoGo = errors.New("the go tool is not installed or not on PATH")

// Build compiles the stage in dir to the program out, with the local toolchain
// only and without changing the stage's go.mod.
//
// It returns a *BuildError if the stage does not compile, ErrNoGo, wrapped, if
// there is nothing to compile it with, and ctx's error, wrapped, if ctx ended
// first, with the go tool and its compilers killed. Any other error is the
// machine's.
func Build(ctx context.Context, dir, out string) error {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("build %s: %w: %w", dir, ErrNoGo, err)
	}
	if out, err = filepath.Abs(out); err != nil {
		return fmt.Errorf("build %s to %s: %w", dir, out, err)
	}
	// Without this, a missing folder would look like a failed build.
	for _, folder := range []string{dir, filepath.Dir(out)} {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return fmt.Errorf("build %s to %s: no folder %s (%w)", dir, out, folder, errors.Join(err, os.ErrNotExist))
		}
	}
	// A program that is there stays in its place, so that an unchanged stage need
	// not be linked again. After a failure it goes: it must not pass for this one,
	// and the compiler is asked again, because a program in the way is what it may
	// have complained of.
	output, err := goBuild(ctx, goTool, dir, out)
	if _, statErr := os.Stat(out); err != nil && statErr == nil {
		if err := os.Remove(out); err != nil {
			return fmt.Errorf("build %s: remove the program of an earlier build: %w", dir, err)
		}
		output, err = goBuild(ctx, goTool, dir, out)
	}
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("build %s: %w", dir, ctx.Err())
	case errors.As(err, &exited) && exited.ExitCode() > 0:
		return &BuildError{Dir: dir, Output: TrimOutput(output)}
	case err != nil:
		return fmt.Errorf("build %s: run %s: %w", dir, goTool, err)
	}
	// Of a library, go build makes an archive and says nothing.
	archive, err := isArchive(out)
	if err != nil {
		return fmt.Errorf("build %s: look at the program: %w", dir, err)
	}
	if archive {
		if err := os.Remove(out); err != nil {
			return fmt.Errorf("build %s: remove the archive: %w", dir, err)
		}
		return &BuildError{Dir: dir, Output: "the folder holds no package main, so there is no program to run"}
	}
	return nil
}

func isArchive(path string) (bool, error) {
	const magic = "!<arch>\n"
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	start := make([]byte, len(magic))
	n, err := io.ReadFull(file, start)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return string(start[:n]) == magic, err
}

func goBuild(ctx context.Context, goTool, dir, out string) (string, error) {
	return buildWith(ctx, dir, buildEnvironment(os.Environ()), goTool, "build", "-o", out, ".")
}

// headWriter keeps the first bytes of an output; the first errors are the ones
// to read.
type headWriter struct{ kept []byte }

func (w *headWriter) Write(p []byte) (int, error) {
	const most = 64 << 10
	w.kept = append(w.kept, p[:min(len(p), most-len(w.kept))]...)
	return len(p), nil
}

// TrimOutput keeps the beginning of what a compiler said, safe to print.
func TrimOutput(s string) string {
	const most = 50
	lines := strings.Split(strings.TrimSpace(s), "\n")
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("... (%d more lines)", more))
	}
	return sanitiseLines(strings.Join(lines, "\n"))
}
