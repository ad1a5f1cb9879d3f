package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// saved waits for the change that writing the file makes.
func saved(t *testing.T, changes <-chan struct{}, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(t.Name()), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, open := <-changes; !open {
		t.Fatalf("%s was saved, and the channel closed", path)
	}
}

func TestChanges(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "lua"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	changes, err := Changes(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	saved(t, changes, filepath.Join(dir, "apply.go"))
	saved(t, changes, filepath.Join(dir, "lua", "apply.lua"))

	// As editors save: a draft beside the file, renamed over it.
	draft := filepath.Join(dir, ".apply.go.swp")
	if err := os.WriteFile(draft, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(draft, filepath.Join(dir, "apply.go")); err != nil {
		t.Fatal(err)
	}
	<-changes

	if err := os.Mkdir(filepath.Join(dir, "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	<-changes // a new folder is a change, and by the time that it is told it is watched
	saved(t, changes, filepath.Join(dir, "inner", "new.go"))

	if err := os.Remove(filepath.Join(dir, "apply.go")); err != nil {
		t.Fatal(err)
	}
	<-changes
	cancel()
	for range changes { // closes when its goroutine has ended
	}
}

func TestAFolderThatIsNotThereCannotBeWatched(t *testing.T) {
	if _, err := Changes(t.Context(), filepath.Join(t.TempDir(), "nowhere")); err == nil {
		t.Error("no error")
	}
}

func TestWhatCounts(t *testing.T) {
	for _, c := range []struct {
		name string
		op   fsnotify.Op
		want bool
	}{
		{"apply.go", fsnotify.Write, true},
		{"lua/apply.lua", fsnotify.Rename, true},
		{"go.mod", fsnotify.Create, true},
		{"apply.go", fsnotify.Remove, true},
		{"apply.go", fsnotify.Write | fsnotify.Chmod, true},
		{"apply.go", fsnotify.Chmod, false},
		{".apply.go.swp", fsnotify.Write, false},
		{"apply.go~", fsnotify.Create, false},
		{"#apply.go#", fsnotify.Create, false},
		{".#apply.go", fsnotify.Create, false},
		{"4913", fsnotify.Create, false},
		{"importer", fsnotify.Create, false},
	} {
		if got := counts(fsnotify.Event{Name: filepath.Join("work/08", c.name), Op: c.op}); got != c.want {
			t.Errorf("%s %v: %v, want %v", c.name, c.op, got, c.want)
		}
	}
}

// A change after a round makes another round; one in the middle cuts it short first.
func TestLoop(t *testing.T) {
	changes := make(chan struct{})
	began, ended := make(chan int), make(chan error)
	rounds := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		Loop(t.Context(), changes, func(ctx context.Context) {
			rounds++
			began <- rounds
			if rounds == 2 {
				<-ctx.Done() // a long one
			}
			ended <- ctx.Err()
		})
	}()
	if n := <-began; n != 1 {
		t.Fatalf("round %d", n)
	}
	if err := <-ended; err != nil {
		t.Errorf("the first round was cut: %v", err)
	}
	changes <- struct{}{}
	<-began
	changes <- struct{}{} // in the middle of the second
	if err := <-ended; err == nil {
		t.Error("the second round was not cut")
	}
	if n := <-began; n != 3 {
		t.Errorf("round %d", n)
	}
	<-ended
	close(changes)
	<-done
}

func TestLoopEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	changes, err := Changes(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0
	Loop(ctx, changes, func(ctx context.Context) {
		rounds++
		cancel()
		<-ctx.Done()
	})
	if rounds != 1 {
		t.Errorf("%d rounds", rounds)
	}
}
