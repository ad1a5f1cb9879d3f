package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/moby/moby/client"

	"example.com/importer/harness/results"
	"example.com/importer/harness/world/engine"
)

// The bounds of one container, which all its processes share.
const (
	MaxMemory    = 1 << 30  // bytes; there is no swap beyond them, and files in /tmp count
	MaxTemporary = 64 << 20 // bytes of files in /tmp
	MaxProcesses = 256      // threads count
	MaxFiles     = 4096     // open in one process
	maxCPUs      = 2

	closeWithin = 30 * time.Second

	maxSocketPath = 107 // bytes, of any Unix socket on Linux
)

// redisAddr is where a program finds its Redis.
const redisAddr = "127.0.0.1:6379"

// Options say what to make containers of.
type Options struct {
	// Image is the name of an image that holds what the programs need beside their own
	// folder, such as an interpreter; empty: EmptyImage.
	Image string
	// Inside is the path of a program that is statically linked and calls inside.Main when
	// its first argument is inside.Command; empty: this program itself.
	Inside string
	// Ahead is how many containers wait for a program; 0: as many as a grade needs.
	Ahead int
	// Progress is told what takes long, one line at a time, from several goroutines; nil:
	// nobody asks.
	Progress func(string)
}

// Isolation makes containers. Whoever opens one closes it.
type Isolation struct {
	Options
	docker *engine.Docker
	work   string // a folder of ours

	mu     sync.Mutex
	shares []share
	made   int // containers so far
	live   map[*Place]struct{}

	once    sync.Once
	ready   chan made // the containers made ahead
	life    context.Context
	end     context.CancelFunc
	makers  sync.WaitGroup
	running sync.WaitGroup // what belongs to containers
}

// share is a folder that every program can read.
type share struct{ outside, inside string }

// Open finds Docker and the image. An error that wraps engine.ErrUnavailable is the
// machine's trouble.
func Open(ctx context.Context, o Options) (_ *Isolation, err error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("isolation on %s: it needs containers of this machine's own system; allowed is linux", runtime.GOOS)
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Ahead <= 0 {
		o.Ahead = ahead
	}
	docker, err := engine.ReachDocker(ctx, o.Progress)
	if err != nil {
		return nil, fmt.Errorf("isolate the programs: %w", err)
	}
	i := &Isolation{Options: o, docker: docker, ready: make(chan made, o.Ahead), live: map[*Place]struct{}{}}
	i.life, i.end = context.WithCancel(context.WithoutCancel(ctx))
	if err := i.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("isolate the programs: %w", err), i.Close())
	}
	return i, nil
}

func (i *Isolation) prepare(ctx context.Context) (err error) {
	if !i.docker.Local() {
		return engine.Unavailable("Docker is at "+i.docker.DaemonHost(),
			errors.New("folders of this machine cannot be mounted there; allowed is an engine on a Unix socket"))
	}
	if err := i.needBounds(ctx); err != nil {
		return err
	}
	if i.work, err = os.MkdirTemp("", "importer-isolate-"); err != nil {
		return fmt.Errorf("make a folder for the isolation: %w", err)
	}
	if longest := len(i.work) + len("/10000/socket"); longest > maxSocketPath {
		return fmt.Errorf("TMPDIR %q is too long for the path of a socket in it; allowed are %d characters", os.TempDir(), len(os.TempDir())-longest+maxSocketPath)
	}
	if err := i.copyInside(); err != nil {
		return err
	}
	if i.Image == "" {
		i.Image = EmptyImage
		return i.needEmptyImage(ctx)
	}
	return i.needImage(ctx)
}

// needBounds wants an engine that holds a container to its bounds. One that cannot, such as
// Docker without root on an old system, says so and starts the container all the same.
func (i *Isolation) needBounds(ctx context.Context) error {
	found, err := i.docker.Info(ctx, client.InfoOptions{})
	if err != nil {
		return engine.Unavailable("Docker does not tell what it can do", err)
	}
	if !found.Info.MemoryLimit || !found.Info.PidsLimit {
		return engine.Unavailable("Docker cannot bound a container here", fmt.Errorf("memory: %v, processes: %v; both are needed", found.Info.MemoryLimit, found.Info.PidsLimit))
	}
	return nil
}

// needImage wants the image that the user named. A volume that an image declares would be
// a folder to write to, on the grader's disk and without a bound.
func (i *Isolation) needImage(ctx context.Context) error {
	if err := i.docker.NeedImage(ctx, i.Image); err != nil {
		return err
	}
	found, err := i.docker.ImageInspect(ctx, i.Image)
	if err != nil {
		return engine.Unavailable("image "+i.Image+" cannot be looked at", err)
	}
	if found.Config != nil && len(found.Config.Volumes) > 0 {
		return engine.Unavailable("image "+i.Image+" declares volumes", errors.New("allowed is an image without any"))
	}
	return nil
}

// Share lets every program read a folder of this machine, at the absolute path inside. It
// is called before the first Take. Programs have another user: the folder and what is in it
// must be readable by everybody, but what it lies in need not.
func (i *Isolation) Share(outside, inside string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.shares = append(i.shares, share{filepath.Clean(outside), inside})
}

// Inside is a path as the programs see it: in a shared folder, or as it is.
func (i *Isolation) Inside(path string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.shares {
		if path == s.outside {
			return s.inside
		}
		if rest, ok := strings.CutPrefix(path, s.outside+"/"); ok {
			return s.inside + "/" + rest
		}
	}
	return path
}

// Told is what a report says of it.
func (i *Isolation) Told() *results.Isolation {
	return &results.Isolation{Image: i.Image, Memory: MaxMemory, Processes: MaxProcesses}
}

// Close ends all programs, and returns when no container is left.
func (i *Isolation) Close() error {
	i.end()
	i.makers.Wait()
	i.mu.Lock()
	for place := range i.live {
		place.Discard()
	}
	i.mu.Unlock()
	i.running.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	errs := []error{i.docker.RemoveAll(ctx), i.docker.Close()}
	if i.work != "" {
		errs = append(errs, os.RemoveAll(i.work))
	}
	return errors.Join(errs...)
}
