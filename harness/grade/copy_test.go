package grade

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestCopy(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{"a.py": "a", "lua/b.lua": "b", ".git/config": "secret", ".gitignore": "*.pyc"} {
		path := filepath.Join(from, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyTree(from, to); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(to, "lua/b.lua"))
	if err != nil || string(content) != "b" {
		t.Errorf("got %q, %v", content, err)
	}
	if info, err := os.Stat(filepath.Join(to, "a.py")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("a program is none any more: %v %v", info, err)
	}
	if _, err := os.Stat(filepath.Join(to, ".git")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that begins with a dot was copied: %v", err)
	}
}

func TestWhatIsNotCopied(t *testing.T) {
	for name, make := range map[string]func(dir string) error{
		"a symbolic link": func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "x")) },
		"a named pipe":    func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "x"), 0o644) },
		"more than 256 MiB": func(dir string) error {
			file, err := os.Create(filepath.Join(dir, "x"))
			if err != nil {
				return err
			}
			return errors.Join(file.Truncate(maxBytes+1), file.Close())
		},
	} {
		from := t.TempDir()
		if err := make(from); err != nil {
			t.Fatal(err)
		}
		if err := copyTree(from, t.TempDir()); !errors.Is(err, errSources) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
