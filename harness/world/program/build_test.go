package program

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stage writes a folder with a go.mod and the given files: name, content, ...
func stage(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	files = append([]string{"go.mod", "module example.com/stage\n\ngo 1.24\n"}, files...)
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const hello = "package main\n\nfunc main() { println(\"hello\") }\n"

func TestBuild(t *testing.T) {
	out := filepath.Join(t.TempDir(), "importer")
	if err := Build(bounded(t), stage(t, "main.go", hello), out); err != nil {
		t.Fatal(err)
	}
	res, err := Run(bounded(t), Spec{Name: "hello", Path: out})
	if err != nil || res.Stderr != "hello\n" {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestBuildErrorIsTheLearners(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"does not compile", []string{"main.go", "package main\n\nfunc main() { x }\n"},
			"# example.com/stage\n./main.go:3:15: undefined: x"},
		{"no main", []string{"lib.go", "package lib\n"}, "the folder holds no package main"},
		{"no Go files", nil, "no Go files in"},
		{"needs a module it does not name", []string{"main.go", "package main\n\nimport _ \"example.com/other\"\n\nfunc main() {}\n"},
			"example.com/other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "importer")
			// The program of an earlier build must not survive a failed one.
			if err := os.WriteFile(out, []byte("old"), 0o777); err != nil {
				t.Fatal(err)
			}
			err := Build(bounded(t), stage(t, c.files...), out)
			var fault *BuildError
			if !errors.As(err, &fault) || !strings.Contains(fault.Output, c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
			if b, err := os.ReadFile(out); err == nil && string(b) == "old" {
				t.Error("the old program is still there")
			}
		})
	}
}

func TestBuildTroubleIsNotTheLearners(t *testing.T) {
	dir, out := stage(t, "main.go", hello), filepath.Join(t.TempDir(), "importer")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, dir, out, path string
		ctx                  context.Context
		want                 error
	}{
		{"no go tool", dir, out, t.TempDir(), t.Context(), ErrNoGo},
		{"no such folder", dir + "x", out, os.Getenv("PATH"), t.Context(), os.ErrNotExist},
		{"nowhere to put it", dir, filepath.Join(out, "x"), os.Getenv("PATH"), t.Context(), os.ErrNotExist},
		{"cancelled", dir, out, os.Getenv("PATH"), ended, context.Canceled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			err := Build(c.ctx, c.dir, c.out)
			var fault *BuildError
			if !errors.Is(err, c.want) || errors.As(err, &fault) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A go tool that starts a compiler which never ends: both are gone when Build
// returns, or Build would still wait for the pipe that they hold.
func TestCancelKillsTheCompilersToo(t *testing.T) {
	bin, dir := t.TempDir(), stage(t, "main.go", hello)
	fifo := filepath.Join(dir, "up")
	script := "#!/bin/sh\nsleep 600 &\necho $! >up\nwait\n"
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	makeFIFO(t, fifo)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(bounded(t))
	wait := goWait(func() {
		// Reading ends when the script has written: then the compiler runs.
		if _, err := os.ReadFile(fifo); err != nil {
			t.Error(err)
		}
		cancel()
	})
	err := Build(ctx, dir, filepath.Join(bin, "importer"))
	wait()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBuildEnvironment(t *testing.T) {
	got := buildEnvironment([]string{
		"HOME=/h", "PATH=/p", "GOPROXY=off", "XDG_CACHE_HOME=/c", "https_proxy=x",
		"GOFLAGS=-tags=evil", "GOWORK=/w", "GOTOOLCHAIN=go9", "GOOS=plan9",
		"GOOGLE_API_KEY=secret", "GITHUB_TOKEN=secret", "IMPORTER_REDIS_URL=r",
	})
	want := append([]string{"HOME=/h", "PATH=/p", "GOPROXY=off", "XDG_CACHE_HOME=/c", "https_proxy=x"}, buildSettings...)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTrimOutput(t *testing.T) {
	got := TrimOutput("\nundefined: \x1b[2K\n" + strings.Repeat("error\n", 59))
	lines := strings.Split(got, "\n")
	if lines[0] != `undefined: \x1b[2K` {
		t.Errorf("the first line is %q", lines[0])
	}
	if len(lines) != 51 || lines[50] != "... (10 more lines)" {
		t.Errorf("got %d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}
