package enginetest

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
)

// shared is the one engine of a test binary whose TestMain is Main.
var shared struct {
	sync.Mutex
	closes bool // Main will close it
	engine *engine.Engine
	err    error
}

// Shared is a Redis in a container that all tests of a package use, closed when the last of them
// has ended. The package's TestMain must be Main.
func Shared(t testing.TB) *engine.Engine {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if !shared.closes {
		t.Fatal("nobody would close the shared engine: let TestMain be enginetest.Main")
	}
	if shared.engine == nil && shared.err == nil {
		// It outlives the test that happens to ask first.
		shared.engine, shared.err = engine.Open(context.Background(),
			engine.Choice{Kind: engine.Container, Progress: func(string) {}})
	}
	if errors.Is(shared.err, engine.ErrUnavailable) && os.Getenv(RequireVariable) != "1" {
		t.Skipf("no container: %v", shared.err)
	}
	if shared.err != nil {
		t.Fatalf("no container: %v", shared.err)
	}
	return shared.engine
}

// Database is a client of an empty database of the shared engine, which is nobody else's until the
// test ends.
func Database(t testing.TB) *redis.Client {
	t.Helper()
	e := Shared(t)
	db, release, err := e.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	client := e.Client(db)
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

func closeShared() error {
	shared.Lock()
	defer shared.Unlock()
	if shared.engine == nil {
		return nil
	}
	return shared.engine.Close()
}
