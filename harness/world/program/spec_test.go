package program

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironmentIsScrubbed(t *testing.T) {
	t.Setenv("PATH", "/usr/bin:/bin")
	t.Setenv("TMPDIR", "/tmp")
	t.Setenv("HOME", "/home/somebody")
	t.Setenv("SOME_TOKEN", "a-secret")
	t.Setenv("IMPORTER_REDIS_URL", "redis://ours")
	p := start(t, child(t, "env", "IMPORTER_HTTP_ADDR=127.0.0.1:0", "TMPDIR=/elsewhere"))
	done(t, p)
	var got []string
	for _, l := range p.Stdout() {
		got = append(got, l.Text)
	}
	slices.Sort(got)
	want := []string{"IMPORTER_HTTP_ADDR=127.0.0.1:0", "PATH=/usr/bin:/bin", childMode + "=env", "TMPDIR=/elsewhere"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// To os/exec, nil would mean: inherit everything.
func TestEmptyEnvironmentIsNotNil(t *testing.T) {
	for _, name := range []string{"PATH", "TMPDIR"} {
		t.Setenv(name, "") // so that the test puts it back
		os.Unsetenv(name)
	}
	if env := (Spec{}).environment(); env == nil || len(env) != 0 {
		t.Errorf("got %#v", env)
	}
}
