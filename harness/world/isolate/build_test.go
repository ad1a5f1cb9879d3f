package isolate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/importer/harness/world/program"
)

// sourcesWith is a folder with the hostile program in it.
func sourcesWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "submission")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(programs(t), "hostile"))
	if err != nil {
		t.Fatal(err)
	}
	files["tool"] = string(content)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A build works on a copy, without network, and what it leaves comes back.
func TestBuild(t *testing.T) {
	i := isolated(t, "")
	dir := sourcesWith(t, map[string]string{"data": "as it was"})
	if err := i.Build(t.Context(), dir, []string{"./tool", "write"}, time.Minute); err != nil {
		t.Fatal(err)
	}
	if made, err := os.ReadFile(filepath.Join(dir, "mine")); err != nil || string(made) != "mine" {
		t.Errorf("what it has made: %q, %v", made, err)
	}
	if kept, err := os.ReadFile(filepath.Join(dir, "data")); err != nil || string(kept) != "as it was" {
		t.Errorf("what was there: %q, %v", kept, err)
	}
	if tool, err := os.Stat(filepath.Join(dir, "tool")); err != nil || tool.Mode()&0o111 == 0 {
		t.Errorf("a program of it: %v, %v", tool, err)
	}
}

func TestBuildFails(t *testing.T) {
	i := isolated(t, "")
	for _, c := range []struct {
		words []string
		says  string
	}{
		{[]string{"./tool", "two"}, "a bad setting\n./tool exited with status 2"},
		{[]string{"./tool", "sleep"}, "did not end within 2s"},
	} {
		err := i.Build(t.Context(), sourcesWith(t, map[string]string{}), c.words, 2*time.Second)
		var failed *program.BuildError
		if !errors.As(err, &failed) || !strings.Contains(failed.Output, c.says) {
			t.Errorf("%v: %v, want %q", c.words, err, c.says)
		}
	}
	if err := i.Build(t.Context(), sourcesWith(t, map[string]string{}), []string{"make"}, time.Minute); !errors.Is(err, program.ErrNoTool) {
		t.Errorf("a tool that is not there: %v", err)
	}
	if err := i.Find(t.Context(), "python3"); !errors.Is(err, program.ErrNoTool) {
		t.Errorf("python3 in the empty image: %v", err)
	}
}
