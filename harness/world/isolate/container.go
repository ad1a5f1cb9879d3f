package isolate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/client"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/isolate/inside"
)

const (
	// user is nobody, whom no file of an image belongs to.
	user = "65534:65534"
	// createWithin bounds the creation of a container, and startWithin its start until
	// its first process has answered.
	createWithin = 30 * time.Second
	startWithin  = 30 * time.Second

	// buildDir is the folder that a build may write to, buildSpace its size in bytes, and
	// buildMemory what the build may use of memory, with that folder in it.
	buildDir    = "/build"
	buildSpace  = 1 << 30
	buildMemory = 3 << 30
)

// make makes a container that can read the shares, and returns when its first process has
// called. For a build it has a folder to write to.
func (i *Isolation) make(ctx context.Context, shares []share, build bool) (*Place, error) {
	i.mu.Lock()
	i.made++
	control := filepath.Join(i.work, strconv.Itoa(i.made))
	i.mu.Unlock()
	if err := os.Mkdir(control, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for a container: %w", err)
	}
	defer os.RemoveAll(control) // the one connection that it is for is there by then
	socket := filepath.Join(control, filepath.Base(inside.Socket))
	listener, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: socket, Net: "unixpacket"})
	if err != nil {
		return nil, fmt.Errorf("make a socket for a container: %w", err)
	}
	defer listener.Close()
	if err := errors.Join(os.Chmod(control, 0o755), os.Chmod(socket, 0o666)); err != nil {
		return nil, fmt.Errorf("make a socket for a container: %w", err)
	}
	id, err := i.create(ctx, i.mounts(control, shares), build)
	if err != nil {
		return nil, engine.Unavailable("a container of "+i.Image+" was not created", err)
	}
	conn, err := i.start(ctx, id, listener)
	if err != nil {
		tidy, cancel := context.WithTimeout(context.Background(), closeWithin)
		defer cancel()
		return nil, errors.Join(engine.Unavailable("a container of "+i.Image+" did not start", err), i.docker.Remove(tidy, id))
	}
	place := &Place{isolation: i, id: id, link: newLink(conn), keep: build, dead: make(chan struct{})}
	i.mu.Lock()
	i.live[place] = struct{}{}
	i.mu.Unlock()
	i.running.Go(func() { place.link.read(place.hasEnded) })
	i.running.Go(place.awaitGone)
	return place, nil
}

// create does not listen to ctx: an interrupted request may still create the container,
// when nobody is there any more to remove it.
func (i *Isolation) create(ctx context.Context, mounts []mount.Mount, build bool) (id string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createWithin)
	defer cancel()
	created, err := i.docker.ContainerCreate(ctx, client.ContainerCreateOptions{
		Config: &container.Config{
			Image:       i.Image,
			User:        user,
			Entrypoint:  []string{"/harness/inside", inside.Command},
			WorkingDir:  "/",
			Labels:      i.docker.Labels(),
			Healthcheck: &container.HealthConfig{Test: []string{"NONE"}},
		},
		HostConfig: hostConfig(mounts, build),
	})
	return created.ID, err
}

// start starts the container and waits until its first process calls.
func (i *Isolation) start(ctx context.Context, id string, listener *net.UnixListener) (*net.UnixConn, error) {
	if _, err := i.docker.ContainerStart(ctx, id, client.ContainerStartOptions{}); err != nil {
		return nil, err
	}
	if err := listener.SetDeadline(time.Now().Add(startWithin)); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { listener.SetDeadline(time.Now()) })
	defer stop()
	conn, err := listener.AcceptUnix()
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("its first process did not call within %v: %w", startWithin, err)
	}
	return conn, nil
}

func (i *Isolation) mounts(control string, shares []share) []mount.Mount {
	list := []mount.Mount{
		{Type: mount.TypeBind, Source: i.insidePath(), Target: "/harness/inside", ReadOnly: true},
		{Type: mount.TypeBind, Source: control, Target: filepath.Dir(inside.Socket), ReadOnly: true},
	}
	for _, s := range shares {
		list = append(list, mount.Mount{Type: mount.TypeBind, Source: s.outside, Target: s.inside, ReadOnly: true})
	}
	return list
}

// hostConfig is what the container may do and use.
func hostConfig(mounts []mount.Mount, build bool) *container.HostConfig {
	processes, initProcess := int64(MaxProcesses), false
	config := &container.HostConfig{
		NetworkMode:    "none",
		ReadonlyRootfs: true,
		CapDrop:        []string{"ALL"},
		SecurityOpt:    []string{"no-new-privileges"},
		IpcMode:        "none", // no /dev/shm either
		AutoRemove:     true,
		Init:           &initProcess,
		LogConfig:      container.LogConfig{Type: "none"},
		Tmpfs:          map[string]string{"/tmp": fmt.Sprintf("rw,exec,nosuid,nodev,mode=1777,size=%d", MaxTemporary)},
		Mounts:         mounts,
		Resources: container.Resources{
			Memory:     MaxMemory,
			MemorySwap: MaxMemory, // the two together: no swap
			PidsLimit:  &processes,
			NanoCPUs:   int64(min(maxCPUs, runtime.NumCPU())) * 1e9,
			Ulimits: []*container.Ulimit{
				{Name: "nofile", Soft: MaxFiles, Hard: MaxFiles},
				{Name: "core", Soft: 0, Hard: 0},
			},
		},
	}
	if build {
		config.Memory, config.MemorySwap = buildMemory, buildMemory
		config.Tmpfs[buildDir] = fmt.Sprintf("rw,exec,nosuid,nodev,mode=1777,size=%d", buildSpace)
	}
	return config
}
