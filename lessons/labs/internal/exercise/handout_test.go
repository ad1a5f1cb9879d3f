package exercise

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// aLab is a folder of labs with one exercise.
func aLab(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{
		"starter/a.go":  "starter a",
		"starter/b.lua": "starter b",
		"check_test.go": "check",
	} {
		write(t, filepath.Join(root, "queue", exercises, "first", name), content)
	}
	return root
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, name := range names(t, folder) {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		found[name] = string(content)
	}
	return found
}

func TestHandOutKeepsWhatIsTheLearners(t *testing.T) {
	list, err := Of(aLab(t), "queue")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 {
		t.Fatalf("exercises: %v, want one", list)
	}
	e := list[0]
	if err := e.HandOut(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a.go": "starter a", "b.lua": "starter b", "check_test.go": "check"}
	if diff := cmp.Diff(want, contents(t, e.Work())); diff != "" {
		t.Errorf("handed out (-want +got):\n%s", diff)
	}

	write(t, filepath.Join(e.Work(), "a.go"), "mine")
	write(t, filepath.Join(e.Work(), "note.txt"), "mine")
	write(t, filepath.Join(e.Work(), "check_test.go"), "made easier")
	if err := os.Remove(filepath.Join(e.Work(), "b.lua")); err != nil {
		t.Fatal(err)
	}
	if err := e.HandOut(); err != nil {
		t.Fatal(err)
	}
	want = map[string]string{"a.go": "mine", "b.lua": "starter b", "check_test.go": "check", "note.txt": "mine"}
	if diff := cmp.Diff(want, contents(t, e.Work())); diff != "" {
		t.Errorf("handed out again (-want +got):\n%s", diff)
	}
}

func TestUnknownLab(t *testing.T) {
	_, err := Of(aLab(t), "../queue")
	if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "queue") {
		t.Errorf("got %v, want ErrUnknown and the labs there are", err)
	}
	if _, err := Labs(t.TempDir()); err == nil {
		t.Error("an empty folder has labs")
	}
}
