package main

import (
	"errors"
	"io"
	"log/slog"
	"testing"
)

// A stage without a worker says so instead of running one that does nothing.
func TestThisStageHasNoWorker(t *testing.T) {
	err := work(t.Context(), config{}, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if !errors.Is(err, errUsage) {
		t.Errorf("got %v, want a usage error, which exits with 2", err)
	}
}
