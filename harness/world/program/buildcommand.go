package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// BuildCommand runs a submission's own build command, a list of words, in its folder.
// The command gets PATH, TMPDIR and the given folder as its HOME, and nothing else of
// the harness's environment.
//
// It returns a *BuildError if the command fails, ErrNoTool, wrapped, if there is no
// such program on this machine, and ctx's error, wrapped, if ctx ended first, with
// the command's whole group killed.
func BuildCommand(ctx context.Context, dir, home string, words []string) error {
	path, err := LookPath(dir, words[0])
	if err != nil {
		return fmt.Errorf("build %s: %w", dir, err)
	}
	env := Spec{Env: []string{"HOME=" + home}}.environment()
	output, err := buildWith(ctx, dir, env, path, words[1:]...)
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("build %s: %w", dir, ctx.Err())
	case errors.As(err, &exited):
		return &BuildError{Dir: dir, Output: TrimOutput(output + "\n" + words[0] + ": " + exited.Error())}
	case err != nil:
		return fmt.Errorf("build %s: run %s: %w", dir, words[0], err)
	}
	return nil
}

// buildWith runs a build tool and returns the beginning of what it said.
func buildWith(ctx context.Context, dir string, env []string, path string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	cmd.Env = env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A tool's children do the work; killing it alone would leave them.
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	var output headWriter
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	return string(output.kept), err
}

// ErrNoTool means that a program which a submission needs is not on this machine.
var ErrNoTool = errors.New("is not installed or not on PATH")

// LookPath finds a program: on PATH, or as a file of dir if there is a slash in its name.
func LookPath(dir, name string) (string, error) {
	if strings.Contains(name, "/") {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return "", &BuildError{Dir: dir, Output: name + " is no program: there is no such file, or it may not be executed"}
		}
		return file, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s %w", name, ErrNoTool)
	}
	return path, nil
}
