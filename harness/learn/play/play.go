// Package play runs the programs of a stage for a person who wants to try them by
// hand.
package play

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
)

const (
	// Retention is how long a finished job's record is kept here: short enough to wait
	// for, because what happens afterwards is what the lessons are about.
	Retention = 30 * time.Second

	defaultAddr = "127.0.0.1:8080"
	startBound  = 10 * time.Second
	stopGrace   = 8 * time.Second // longer than a worker's own
)

// Config says what is played with.
type Config struct {
	Engine  *engine.Engine
	Program string // absolute path of the built stage
	Dir     string // its folder
	DataDir string // holds the catalogue and the shipment
	Workers int
	Say     func(name, line string) // what a program says; called from several goroutines
}

// Shop is the programs of a stage, running.
type Shop struct {
	URL     string // of the server, such as http://127.0.0.1:8080
	Redis   string // the URL of its database
	release func()
	all     []*program.Process // the server first
}

// ErrSeed means that the program could not write the opening catalogue.
var ErrSeed = errors.New("seed failed")

// ErrServerEnded means that there is nothing left to play with.
var ErrServerEnded = errors.New("the server has ended")

// Open seeds a database and starts the server and the workers. Whoever opens a shop
// closes it.
func Open(ctx context.Context, c Config) (_ *Shop, err error) {
	db, release, err := c.Engine.Lease(ctx)
	if err != nil {
		return nil, err
	}
	s := &Shop{Redis: c.Engine.URL(db, c.Engine.Addr()), release: release}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	seed, err := program.Run(ctx, c.spec(s.Redis, "seed", "seed"))
	if err != nil {
		return nil, fmt.Errorf("write the opening catalogue: %w", err)
	}
	if seed.Exit.Code != 0 {
		return nil, fmt.Errorf("%w: it %s", ErrSeed, seed.Exit)
	}
	server := c.spec(s.Redis, "server", "serve")
	server.Env = append(server.Env, "IMPORTER_HTTP_ADDR="+freeAddr())
	if err := s.start(ctx, server); err != nil {
		return nil, err
	}
	listening, cancel := context.WithTimeout(ctx, startBound)
	defer cancel()
	if s.URL, err = s.all[0].Listening(listening); err != nil {
		return nil, err
	}
	for i := range c.Workers {
		if err := s.start(ctx, c.spec(s.Redis, fmt.Sprintf("worker-%d", i+1), "work")); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (c Config) spec(redis, name, command string) program.Spec {
	return program.Spec{
		Name: name, Path: c.Program, Dir: c.Dir, Args: []string{command},
		Env: []string{
			"IMPORTER_REDIS_URL=" + redis,
			"IMPORTER_DATA_DIR=" + c.DataDir,
			"IMPORTER_RETENTION=" + Retention.String(),
		},
		Each: func(l program.Line) { c.Say(name, l.Text) },
	}
}

// start does not bind the process to ctx, whose end would kill it: it is asked to
// stop, by Close, as it would be in real life.
func (s *Shop) start(ctx context.Context, spec program.Spec) error {
	p, err := program.Start(context.WithoutCancel(ctx), spec)
	if err != nil {
		return err
	}
	s.all = append(s.all, p)
	return nil
}

// freeAddr is the usual address if nobody has it, and any free port otherwise.
func freeAddr() string {
	listener, err := net.Listen("tcp", defaultAddr)
	if err != nil {
		return "127.0.0.1:0"
	}
	listener.Close()
	return defaultAddr
}

// Process is one of the running programs.
type Process struct {
	Name string
	PID  int
}

// Processes are the programs, the server first.
func (s *Shop) Processes() []Process {
	var list []Process
	for _, p := range s.all {
		list = append(list, Process{Name: p.Name(), PID: p.PID()})
	}
	return list
}

// Wait returns when ctx ends, or with ErrServerEnded, wrapped, when the server does. A
// worker that ends is told to say: killing one is part of the game.
func (s *Shop) Wait(ctx context.Context, say func(name, line string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel() // before the wait
	for _, worker := range s.all[1:] {
		watching.Go(func() {
			select {
			case <-ctx.Done():
			case <-worker.Done():
				exit, _ := worker.Exit()
				say(worker.Name(), exit.String())
			}
		})
	}
	select {
	case <-ctx.Done():
		return nil
	case <-s.all[0].Done():
		exit, _ := s.all[0].Exit()
		return fmt.Errorf("%w: it %s", ErrServerEnded, exit)
	}
}

// Close asks all programs to stop, waits for them, and gives the database back. A
// program that does not stop is killed, and is named in the error.
func (s *Shop) Close() error {
	errs := make([]error, len(s.all))
	var stopping sync.WaitGroup
	for i, p := range slices.Backward(s.all) {
		stopping.Go(func() { _, errs[i] = p.Stop(context.Background(), stopGrace) })
	}
	stopping.Wait()
	s.release()
	return errors.Join(errs...)
}
