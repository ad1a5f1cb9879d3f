package sources_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"example.com/importer/harness/sources"
)

func TestDigestSeesEveryChangeOfTheSources(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	digest := func() string {
		t.Helper()
		d, err := sources.Digest(dir)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	write("main.go", "package main\n")
	write("lua/apply.lua", "return 1\n")
	seen := map[string]string{digest(): "the beginning"}
	for _, change := range []struct {
		what string
		do   func()
	}{
		{"one byte", func() { write("main.go", "package main\n\n") }},
		{"a script", func() { write("lua/apply.lua", "return 2\n") }},
		{"a new file", func() { write("new.go", "") }},
		{"another name", func() {
			if err := os.Rename(filepath.Join(dir, "new.go"), filepath.Join(dir, "other.go")); err != nil {
				t.Fatal(err)
			}
		}},
		{"content moved between files", func() { write("main.go", "return 2\n"); write("lua/apply.lua", "package main\n\n") }},
	} {
		change.do()
		if before, twice := seen[digest()]; twice {
			t.Errorf("%s: the digest is that of %s", change.what, before)
		}
		seen[digest()] = change.what
	}

	before := digest()
	write("importer", "a built program")
	write(".git/HEAD", "x")
	if digest() != before {
		t.Error("a built program or a folder with a dot changed the digest")
	}
	write("lua/.apply.lua", "return 3\n") // go:embed lua/*.lua takes it
	if digest() == before {
		t.Error("an embedded file with a dot did not change the digest")
	}
	write("go.mod", "module x\n\nrequire example.com/y v1.0.0\n\nreplace example.com/y => ../y\n")
	if _, err := sources.Digest(dir); !errors.Is(err, sources.ErrOutside) {
		t.Errorf("a module replaced by a folder outside: %v", err)
	}
	write("go.mod", "module x\n")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "other.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := sources.Digest(dir); !errors.Is(err, sources.ErrOutside) {
		t.Errorf("a file that lies elsewhere: %v", err)
	}
	if _, err := sources.Digest(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there has a digest")
	}
}

// What a learner writes in labs/work is no source of the labs.
func TestLabsDigest(t *testing.T) {
	dir := t.TempDir()
	digest := func() string {
		t.Helper()
		d, err := sources.LabsDigest(filepath.Join(dir, "lessons"))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := digest(); d != "" {
		t.Errorf("without lessons: %q", d)
	}
	write := func(name string) {
		t.Helper()
		path := filepath.Join(dir, "lessons", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("labs/lua/window.go")
	first := digest()
	write("labs/work/lua/limiter/limiter.lua")
	if digest() != first {
		t.Error("a learner's file changed it")
	}
	write("lua-scripts.md")
	if digest() == first {
		t.Error("a lesson did not change it")
	}
}
