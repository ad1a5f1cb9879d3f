// Package enginetest gives tests a real Redis, and holds them to leaving nothing behind.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/importer/harness/world/engine"
)

// RequireVariable, set to 1, turns "skipped, no Docker" into a failure. CI sets it, because a test
// that skips proves nothing.
const RequireVariable = "HARNESS_REQUIRE_CONTAINER"

// Container is a Redis in a container, closed when the test ends. settings are more arguments of its
// redis-server.
func Container(t testing.TB, settings ...string) *engine.Engine {
	t.Helper()
	return Open(t, engine.Choice{Kind: engine.Container, Settings: settings})
}

// Open is Container for any choice that needs one.
func Open(t testing.TB, choice engine.Choice) *engine.Engine {
	t.Helper()
	choice.Progress = func(line string) { t.Log(line) }
	e, err := engine.Open(t.Context(), choice)
	SkipWithout(t, err)
	closeAfter(t, e)
	return e
}

// SkipWithout ends the test if there is no container: as skipped where none can be had, and as failed
// where one is required.
func SkipWithout(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, engine.ErrUnavailable) && os.Getenv(RequireVariable) != "1" {
		t.Skipf("no container: %v", err)
	}
	if err != nil {
		t.Fatalf("no container: %v", err)
	}
}

// Miniredis is the imitation, for tests of what does not depend on Redis itself.
func Miniredis(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Choice{Kind: engine.Miniredis})
	if err != nil {
		t.Fatal(err)
	}
	closeAfter(t, e)
	return e
}

// EngineVariable, set to "container", gives the tests of Chosen the real thing.
const EngineVariable = "HARNESS_TEST_ENGINE"

// Chosen is a Redis of its own for a test that an imitation serves as well, in half of the time:
// Miniredis, unless EngineVariable says otherwise.
func Chosen(t testing.TB) *engine.Engine {
	t.Helper()
	if os.Getenv(EngineVariable) == string(engine.Container) {
		return Container(t)
	}
	return Miniredis(t)
}

func closeAfter(t testing.TB, e *engine.Engine) {
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Main is a TestMain that fails a package which leaves a container or a goroutine behind. What
// else a package has to end comes after its tests.
func Main(m *testing.M, after ...func() error) {
	shared.closes = true
	status := m.Run()
	after = append(after, closeShared, alone.Close, containers, func() error { return goleak.Find() })
	for _, check := range after {
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, "left behind:", err)
			status = max(status, 1)
		}
	}
	os.Exit(status)
}

func containers() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	left, err := engine.Leftovers(ctx)
	switch {
	case errors.Is(err, engine.ErrUnavailable):
		return nil // without Docker nothing was started
	case err != nil:
		return err
	case len(left) > 0:
		return fmt.Errorf("containers %q", left)
	default:
		return nil
	}
}
