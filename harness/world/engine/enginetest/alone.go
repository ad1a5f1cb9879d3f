package enginetest

import (
	"testing"

	"example.com/importer/harness/world/engine"
)

// alone is a second engine of a test binary whose TestMain is Main.
var alone = engine.Own{Choice: engine.Choice{Kind: engine.Container}}

// Alone is a Redis in a container that the test has for itself, for what touches a whole server: its
// scripts, its memory, its life. It begins without keys, scripts and functions. A test that changes a
// setting puts it back. The package's TestMain must be Main.
func Alone(t testing.TB) *engine.Engine {
	t.Helper()
	if !shared.closes {
		t.Fatal("nobody would close the engine: let TestMain be enginetest.Main")
	}
	e, release, err := alone.Take(t.Context())
	SkipWithout(t, err)
	t.Cleanup(release)
	client := e.Client(0)
	defer client.Close()
	for _, empty := range [][]any{{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"FUNCTION", "FLUSH"}} {
		if err := client.Do(t.Context(), empty...).Err(); err != nil {
			t.Fatalf("empty the server: %v: %v", empty, err)
		}
	}
	return e
}
