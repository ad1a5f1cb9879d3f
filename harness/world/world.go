// Package world is what a scenario holds in its hands: one clean database, the
// programs of one stage, a fault proxy before each of them, and a client. It
// offers what a story needs, in the story's words, and decides nothing.
package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// stopGrace is longer than any grace period that a stage may give its own jobs.
const stopGrace = 10 * time.Second

// Settings are environment variables of a program.
type Settings map[string]string

// Unset is the value of a setting that a program is not to be given at all.
const Unset = "\x00unset"

// Stage is how the programs of a stage are started.
type Stage struct {
	Path string // the built program, which takes a command as its first argument
	// Commands are the command lines of a stage that is no such program, by command;
	// the first word of each is the absolute path of a program.
	Commands map[string][]string
	Dir      string // its working folder
	Works    bool   // it has a worker
}

// line is the command line that starts a command of the stage.
func (s Stage) line(command string) []string {
	if line, ok := s.Commands[command]; ok {
		return line
	}
	return []string{s.Path, command}
}

// Config says what a world is made of.
type Config struct {
	Engine  *engine.Engine
	Stage   Stage
	Data    dataset.Data
	DataDir string // holds Data as files
	// Scratch is the folder that data folders of a story's own are made in; empty: the system's.
	Scratch string
	// Take gives a place of its own to each program; nil: they are processes of this machine.
	Take func(context.Context) (Place, error)
	// Own is a Redis for what a whole server must suffer; nil where there is none.
	Own *engine.Own
	// Waited is told how long something was waited for, from any goroutine; nil: nobody asks.
	Waited func(time.Duration)
}

// World is one clean database with the programs around it.
type World struct {
	Config
	Redis *redis.Client // past all proxies

	db      int
	release func()

	mu       sync.Mutex // guards what follows: a story may start programs while it waits for something
	programs []*Program
	clients  []shop.Client
}

// Program is one running program and the connection it has to Redis.
type Program struct {
	*program.Process
	Wire *wire.Proxy
}

// Server is a running producer.
type Server struct {
	*Program
	shop.Client
}

// Open leases a clean database.
func Open(ctx context.Context, config Config) (*World, error) {
	db, release, err := config.Engine.Lease(ctx)
	if err != nil {
		return nil, fmt.Errorf("lease a database: %w", err)
	}
	return &World{Config: config, Redis: config.Engine.Client(db), db: db, release: release}, nil
}

// Close ends every program at once and gives the database back.
func (w *World) Close() {
	for _, c := range w.clients {
		c.Close()
	}
	for _, p := range w.running() {
		p.Kill()
		p.Wire.Close()
	}
	w.Redis.Close()
	w.release()
}

// running are all programs that were started.
func (w *World) running() []*Program {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.programs)
}

// CrashRedis kills the server without warning and starts it again. The programs
// and their proxies stay as they are.
func (w *World) CrashRedis(ctx context.Context) error {
	if err := w.Engine.Crash(ctx); err != nil {
		return fmt.Errorf("crash Redis: %w", err)
	}
	for _, p := range w.running() {
		p.Wire.Retarget(w.Engine.Addr())
	}
	w.Redis.Close()
	w.Redis = w.Engine.Client(w.db)
	return nil
}

// Logs are the last lines of every program that ran, for a report.
func (w *World) Logs() []string {
	var lines []string
	for _, p := range w.running() {
		for _, line := range p.Tail(8) {
			lines = append(lines, p.Name()+": "+line)
		}
	}
	return lines
}

// defaults shorten time where a story would have to wait, and lengthen it where
// a slow machine could change the story.
var defaults = Settings{
	"IMPORTER_HTTP_ADDR":     "127.0.0.1:0",
	"IMPORTER_RATE_LIMIT":    "100000",
	"IMPORTER_RATE_WINDOW":   "1m",
	"IMPORTER_LOCK_DURATION": "30s",
	"IMPORTER_POLL_INTERVAL": "50ms",
	"IMPORTER_RETENTION":     "1h",
	"IMPORTER_ATTEMPTS":      "5",
	"IMPORTER_BACKOFF":       "20ms",
	"IMPORTER_DEADLINE":      "1m",
	"IMPORTER_CONCURRENCY":   "1",
}

func (w *World) spec(name, command string, addr string, settings Settings) program.Spec {
	all := maps.Clone(defaults)
	all["IMPORTER_REDIS_URL"] = w.Engine.URL(w.db, addr)
	all["IMPORTER_DATA_DIR"] = w.DataDir
	maps.Copy(all, settings)
	line := w.Stage.line(command)
	spec := program.Spec{Name: name, Path: line[0], Args: slices.Clone(line[1:]), Dir: w.Stage.Dir}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if all[key] == Unset {
			continue
		}
		spec.Env = append(spec.Env, key+"="+all[key])
	}
	return spec
}

// start runs a program with a proxy of its own before Redis, which is in the
// given state from the first moment.
func (w *World) start(ctx context.Context, name, command string, settings Settings, begin func(*wire.Proxy) error) (*Program, error) {
	place, proxy, err := w.proxied(ctx, begin)
	if err != nil {
		return nil, fmt.Errorf("proxy of %s: %w", name, err)
	}
	spec := w.spec(name, command, proxy.Addr(), settings)
	spec.In = place
	process, err := program.Start(ctx, spec)
	if err != nil {
		if place != nil {
			place.Discard()
		}
		proxy.Close()
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &Program{Process: process, Wire: proxy}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.programs = append(w.programs, p)
	return p, nil
}

// Serve starts a producer and waits until it listens.
func (w *World) Serve(ctx context.Context, name string, settings Settings) (*Server, error) {
	return w.serve(ctx, name, settings, (*wire.Proxy).Pass)
}

// ServeAway starts a producer whose Redis refuses connections from the first
// moment, and waits until it listens all the same. Wire.Pass brings Redis back.
func (w *World) ServeAway(ctx context.Context, name string, settings Settings) (*Server, error) {
	return w.serve(ctx, name, settings, (*wire.Proxy).Refuse)
}

func (w *World) serve(ctx context.Context, name string, settings Settings, begin func(*wire.Proxy) error) (*Server, error) {
	p, err := w.start(ctx, name, "serve", settings, begin)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	base, err := p.Listening(ctx)
	if err != nil {
		return nil, &ProgramError{What: name + " did not say where it listens", Err: err, Late: ctx.Err() != nil}
	}
	client := shop.NewClient(base, patience)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clients = append(w.clients, client)
	return &Server{Program: p, Client: client}, nil
}

// Work starts a worker.
func (w *World) Work(ctx context.Context, name string, settings Settings) (*Program, error) {
	return w.start(ctx, name, "work", settings, (*wire.Proxy).Pass)
}

// WorkWatched starts a worker whose proxy is given to watch before the first command
// can come through it.
func (w *World) WorkWatched(ctx context.Context, name string, settings Settings, watch func(*wire.Proxy)) (*Program, error) {
	return w.start(ctx, name, "work", settings, func(proxy *wire.Proxy) error {
		watch(proxy)
		return nil
	})
}

// WorkTrapped starts a worker whose commands that name the stock are trapped, from the
// first one on: there may be a job for it already.
func (w *World) WorkTrapped(ctx context.Context, name string, settings Settings, at wire.Moment) (p *Program, trap *wire.Trap, err error) {
	p, err = w.WorkWatched(ctx, name, settings, func(proxy *wire.Proxy) { trap = proxy.Trap(at, ofStock) })
	return p, trap, err
}

// Start starts a producer and a worker with the same settings.
func (w *World) Start(ctx context.Context, worker string, settings Settings) (*Server, *Program, error) {
	server, err := w.Serve(ctx, "server", settings)
	if err != nil {
		return nil, nil, err
	}
	first, err := w.Work(ctx, worker, settings)
	return server, first, err
}

// Run runs a short command of the program straight at Redis, without faults.
func (w *World) Run(ctx context.Context, name string, args ...string) (program.Result, error) {
	spec, done, err := w.straight(ctx, name, args[0], nil)
	if err != nil {
		return program.Result{}, fmt.Errorf("run %s: %w", name, err)
	}
	defer done()
	spec.Args = append(spec.Args, args[1:]...)
	spec.Limits.MaxRun = patience
	result, err := program.Run(ctx, spec)
	if errors.Is(err, program.ErrStillRunning) {
		return result, &ProgramError{What: name + " did not end", Err: err, Late: true}
	}
	if err != nil {
		return result, fmt.Errorf("run %s: %w", name, err)
	}
	return result, nil
}

// Stop asks a program to end and waits: afterwards it does nothing any more.
func (w *World) Stop(ctx context.Context, p *Program) error {
	exit, err := p.Stop(ctx, stopGrace)
	switch {
	case errors.Is(err, program.ErrStubborn):
		return &ProgramError{What: p.Name() + " did not stop", Err: err, Late: true}
	case err != nil:
		return fmt.Errorf("stop %s: %w", p.Name(), err)
	case exit.Code != 0:
		return &ProgramError{What: p.Name() + " was asked to stop and " + exit.String() + "; 0 is expected"}
	}
	return nil
}
