// Package measure takes the figures: it drives programs from outside, straight at one real
// Redis, looks at the time, and looks at what came out. A wrong result is an error and
// never a figure.
package measure

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/bench/apply"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
)

const (
	// patience is how long nothing may happen at all.
	patience = 20 * time.Second
	// rest is the time between two looks at the generation. A look costs the server a
	// fraction of a job, and the time that is measured is a hundred times longer.
	rest = 5 * time.Millisecond
	// stopGrace is longer than any grace period of a program.
	stopGrace = 10 * time.Second
	// retention is long enough that no record goes while it is counted.
	retention = time.Hour
)

// Bench is what everything is measured on.
type Bench struct {
	Engine  *engine.Engine
	Data    dataset.Data
	DataDir string // holds Data as files
	Script  apply.Script
	Stages  map[string]Subject // 06, 07, 08
	Peer    Subject
	Plan    Plan
}

// Subject is a program that keeps to the contract.
type Subject struct {
	Name  string // stage-08, asynq
	Stage world.Stage
	Marks bool     // it marks what it has applied
	Extra []string // settings beyond the contract's, each NAME=value
}

// ground is one clean database with the opening catalogue, and what runs on it.
type ground struct {
	Bench
	logs     string // folder of the programs' logs
	redis    *redis.Client
	db       int
	programs []*program.Process
}

// on measures something on a clean database, and ends every program afterwards.
func (b Bench) on(ctx context.Context, measure func(*ground) error) (err error) {
	db, release, err := b.Engine.Lease(ctx)
	if err != nil {
		return fmt.Errorf("lease a database: %w", err)
	}
	defer release()
	logs, err := os.MkdirTemp("", "importer-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for logs: %w", err)
	}
	defer os.RemoveAll(logs)
	g := &ground{Bench: b, db: db, redis: b.Engine.Client(db), logs: logs}
	defer g.redis.Close()
	defer func() {
		for _, p := range g.programs {
			p.Kill()
		}
		if err != nil {
			err = fmt.Errorf("%w%s", err, g.lastWords())
		}
	}()
	w := &world.World{Config: world.Config{Data: b.Data}, Redis: g.redis}
	if err := w.Reopen(ctx); err != nil {
		return err
	}
	return measure(g)
}

func (g *ground) url() string { return g.Engine.URL(g.db, g.Engine.Addr()) }

// start starts a command of a program with no proxy between it and Redis. A shell sends its
// log to a file and becomes the program: to read along would take time from who is measured.
func (g *ground) start(ctx context.Context, s Subject, command string, inHand int) (*program.Process, error) {
	log := filepath.Join(g.logs, fmt.Sprintf("%d-%s", len(g.programs), command))
	process, err := program.Start(ctx, program.Spec{
		Name: s.Name + " " + command, Path: "/bin/sh", Dir: s.Stage.Dir,
		Args: []string{"-c", `exec "$0" "$1" 2>"$2"`, s.Stage.Path, command, log},
		Env: append([]string{
			"IMPORTER_REDIS_URL=" + g.url(),
			"IMPORTER_HTTP_ADDR=127.0.0.1:0",
			"IMPORTER_DATA_DIR=" + g.DataDir,
			"IMPORTER_RATE_LIMIT=1000000",
			"IMPORTER_RETENTION=" + retention.String(),
			fmt.Sprintf("IMPORTER_CONCURRENCY=%d", inHand),
		}, s.Extra...),
	})
	if err != nil {
		return nil, err
	}
	g.programs = append(g.programs, process)
	return process, nil
}

// lastWords are the last lines of the programs' logs, for an error.
func (g *ground) lastWords() string {
	var words strings.Builder
	for i, p := range g.programs {
		paths, _ := filepath.Glob(filepath.Join(g.logs, fmt.Sprintf("%d-*", i))) // the pattern is ours
		for _, path := range paths {
			content, _ := os.ReadFile(path)
			lines := strings.Split(strings.TrimSpace(string(content)), "\n")
			if last := lines[len(lines)-1]; last != "" {
				fmt.Fprintf(&words, "\n  %s: %s", p.Name(), program.Sanitise(last))
			}
		}
	}
	return words.String()
}

// serve starts a producer and waits until it listens.
func (g *ground) serve(ctx context.Context, s Subject) (*producer, error) {
	process, err := g.start(ctx, s, "serve", 1)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	base, err := process.Listening(limited)
	if err != nil {
		return nil, fmt.Errorf("%s serve: %w", s.Name, err)
	}
	return newProducer(base), nil
}

// until looks until done says true.
func until(ctx context.Context, what string, done func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("it did not happen within %v", patience))
	defer cancel()
	for {
		ok, err := done(ctx)
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if ok && err == nil {
			return nil
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", what, context.Cause(ctx))
		}
	}
}

// generation is how many arrivals were applied so far.
func (g *ground) generation(ctx context.Context) (int, error) {
	n, err := g.redis.Get(ctx, shop.GenerationKey).Int()
	if err != nil && !errors.Is(err, redis.Nil) {
		return 0, fmt.Errorf("read the generation: %w", err)
	}
	return n, nil
}
