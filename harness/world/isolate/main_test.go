package isolate_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/harness/world/isolate"
	"example.com/importer/harness/world/program"
)

// victimVariable makes this test binary a harness that is killed, see TestAKilledHarness.
const victimVariable = "ISOLATE_TEST_VICTIM"

// built holds the two programs of testdata.
var built struct {
	sync.Once
	dir string
	err error
}

func TestMain(m *testing.M) {
	if inside := os.Getenv(victimVariable); inside != "" {
		victim(inside)
	}
	enginetest.Main(m, func() error { return os.RemoveAll(built.dir) })
}

// programs builds what runs inside, statically, and returns the folder.
func programs(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "isolate-test-"); built.err != nil {
			return
		}
		built.err = os.Chmod(built.dir, 0o755)
		for _, name := range []string{"inside", "hostile"} {
			build := exec.Command("go", "build", "-o", filepath.Join(built.dir, name), "./testdata/"+name)
			build.Env = append(os.Environ(), "CGO_ENABLED=0")
			if said, err := build.CombinedOutput(); err != nil {
				built.err = errors.Join(built.err, fmt.Errorf("build %s: %w\n%s", name, err, said))
			}
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir
}

// isolated opens an isolation in which /program/hostile is there.
func isolated(t *testing.T, image string) *isolate.Isolation {
	t.Helper()
	dir := programs(t)
	i, err := isolate.Open(t.Context(), isolate.Options{Image: image, Inside: filepath.Join(dir, "inside"), Ahead: 1, Progress: func(line string) { t.Log(line) }})
	enginetest.SkipWithout(t, err)
	t.Cleanup(func() {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	})
	i.Share(dir, "/program")
	return i
}

func take(t *testing.T, i *isolate.Isolation) *isolate.Place {
	t.Helper()
	place, err := i.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return place
}

func spec(t *testing.T, place *isolate.Place, args ...string) program.Spec {
	return program.Spec{Name: "hostile", Path: filepath.Join(programs(t), "hostile"), Args: args, Dir: "/", In: place, Limits: program.Limits{MaxRun: 30 * time.Second}}
}

// ran is what the hostile program says of an attempt.
func ran(t *testing.T, i *isolate.Isolation, args ...string) program.Result {
	t.Helper()
	result, err := program.Run(t.Context(), spec(t, take(t, i), args...))
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, result.Stdout, result.Stderr)
	}
	t.Logf("%v %s\n%s%s", args, result.Exit, result.Stdout, result.Stderr)
	return result
}
