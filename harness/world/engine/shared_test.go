package engine_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// everyEngine runs a test on each source of Redis, as they are to be alike.
func everyEngine(t *testing.T, test func(*testing.T, *engine.Engine)) {
	t.Parallel()
	t.Run("miniredis", func(t *testing.T) { test(t, enginetest.Miniredis(t)) })
	t.Run("container", func(t *testing.T) { test(t, enginetest.Container(t)) })
	t.Run("url", func(t *testing.T) {
		test(t, openAt(t, "redis://"+startServer(t).Addr()))
	})
}

func open(t *testing.T, choice engine.Choice) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), choice)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func set(t *testing.T, e *engine.Engine, db int, key string) {
	t.Helper()
	client := e.Client(db)
	defer client.Close()
	if err := client.Set(t.Context(), key, "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
}

func size(t *testing.T, e *engine.Engine, db int) int64 {
	t.Helper()
	client := e.Client(db)
	defer client.Close()
	n, err := client.DBSize(t.Context()).Result()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestLeaseIsCleanBeforeAndAfter(t *testing.T) {
	everyEngine(t, func(t *testing.T, e *engine.Engine) {
		for db := range e.Databases() {
			set(t, e, db, "left by somebody")
		}
		db, release, err := e.Lease(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n := size(t, e, db); n != 0 {
			t.Errorf("leased database %d holds %d keys, want none", db, n)
		}
		set(t, e, db, "left by the cell")
		release()
		if n := size(t, e, db); n != 0 {
			t.Errorf("released database %d holds %d keys, want none", db, n)
		}
		other := (db + 1) % e.Databases()
		if n := size(t, e, other); n != 1 {
			t.Errorf("database %d, never leased, holds %d keys, want its 1", other, n)
		}
	})
}

func TestLeaseHasOneHolder(t *testing.T) {
	everyEngine(t, func(t *testing.T, e *engine.Engine) {
		holders := make([]atomic.Int32, e.Databases())
		var cells sync.WaitGroup
		for range 3 * e.Databases() {
			cells.Go(func() {
				db, release, err := e.Lease(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders[db].Add(1); n != 1 {
					t.Errorf("database %d has %d holders", db, n)
				}
				set(t, e, db, "mine")
				holders[db].Add(-1)
				release()
				release() // must not free it twice
			})
		}
		cells.Wait()
	})
}

func TestLeaseWaits(t *testing.T) {
	e := enginetest.Miniredis(t)
	var releases []func()
	for range e.Databases() {
		_, release, err := e.Lease(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		releases = append(releases, release)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := e.Lease(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lease with all databases taken: %v, want it to wait until its context ends", err)
	}

	got := make(chan error, 1)
	go func() {
		_, release, err := e.Lease(t.Context())
		if err == nil {
			release()
		}
		got <- err
	}()
	releases[7]()
	if err := <-got; err != nil {
		t.Errorf("a lease after a release: %v", err)
	}
	for _, release := range releases {
		release()
	}
}

func TestClosed(t *testing.T) {
	everyEngine(t, func(t *testing.T, e *engine.Engine) {
		for range 2 {
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
		for range e.Databases() {
			if _, _, err := e.Lease(t.Context()); err == nil {
				t.Fatal("a closed engine leased a database")
			}
		}
	})
}

func TestOpenRefusesNonsense(t *testing.T) {
	for name, choice := range map[string]engine.Choice{
		"no kind":            {},
		"unknown kind":       {Kind: "docker"},
		"url for miniredis":  {Kind: engine.Miniredis, URL: "redis://127.0.0.1"},
		"kind url, no url":   {Kind: engine.URL},
		"settings for auto":  {Kind: engine.Auto, Settings: []string{"--port", "1"}},
		"not a Redis scheme": {Kind: engine.URL, URL: "http://127.0.0.1"},
	} {
		e, err := engine.Open(t.Context(), choice)
		if err == nil {
			t.Errorf("%s: opened %s, want an error", name, e.Label())
			_ = e.Close()
		} else if errors.Is(err, engine.ErrUnavailable) {
			t.Errorf("%s: %v: wrong usage, yet told as the machine's trouble", name, err)
		}
	}
}
