package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestMiniredisSaysWhatItIs(t *testing.T) {
	e := enginetest.Miniredis(t)
	if e.Kind() != engine.Miniredis {
		t.Errorf("kind %q", e.Kind())
	}
	if !strings.HasPrefix(e.Label(), "miniredis") || e.Version().Server != "miniredis" {
		t.Errorf("label %q, version %v", e.Label(), e.Version())
	}
	if e.Rehearsal() != "rehearsed on miniredis only" {
		t.Errorf("rehearsal %q", e.Rehearsal())
	}
	if e.Databases() != 16 {
		t.Errorf("%d databases, want 16", e.Databases())
	}
	if got, want := e.URL(3, "127.0.0.1:9"), "redis://127.0.0.1:9/3"; got != want {
		t.Errorf("URL %q, want %q", got, want)
	}
}

// Locks and records run out. An imitation in which they do not would rehearse something else.
func TestMiniredisKeysExpire(t *testing.T) {
	e := enginetest.Miniredis(t)
	client := e.Client(0)
	defer client.Close()
	if err := client.Set(t.Context(), "lock", "x", 30*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for client.Exists(ctx, "lock").Val() == 1 {
	}
	if ctx.Err() != nil {
		t.Error("a key with a lifetime of 30ms is still there after 5s")
	}
}
