package world

import (
	"context"
	"fmt"
	"strings"
	"time"

	"example.com/importer/harness/world/program"
)

// Tried is how a command ended that was given settings which it should refuse.
type Tried struct {
	Exit           program.Exit
	Listened       bool     // it took the settings and served
	Stdout, Stderr []string // lines
}

// Try runs a command straight at Redis, with settings that it should refuse. A
// program that takes them and works has answered as well: it is ended when it
// listens, or when the bound is over.
func (w *World) Try(ctx context.Context, command string, settings Settings, bound time.Duration) (Tried, error) {
	spec, done, err := w.straight(ctx, command, command, settings)
	if err != nil {
		return Tried{}, fmt.Errorf("start %s: %w", command, err)
	}
	defer done()
	process, err := program.Start(ctx, spec)
	if err != nil {
		return Tried{}, fmt.Errorf("start %s: %w", command, err)
	}
	limited, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	line, err := process.FirstLine(limited)
	listened := err == nil && strings.HasPrefix(line, "listening on ")
	if !listened {
		select {
		case <-process.Done():
		case <-limited.Done():
		}
	}
	tried := Tried{Exit: process.Kill(), Listened: listened} // one that has ended stays as it ended
	for _, line := range process.Stdout() {
		tried.Stdout = append(tried.Stdout, line.Text)
	}
	for _, line := range process.Logs() {
		tried.Stderr = append(tried.Stderr, line.Text)
	}
	return tried, ctx.Err()
}
