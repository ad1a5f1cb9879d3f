package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/containerd/errdefs"
	dockercontainer "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	tclog "github.com/testcontainers/testcontainers-go/log"
	tcredis "github.com/testcontainers/testcontainers-go/modules/redis"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	redisPort = "6379/tcp"
	readyLine = "Ready to accept connections"

	createTimeout = 30 * time.Second
	startTimeout  = 30 * time.Second
)

// command starts Redis as the lessons assume it: it never throws keys away to save memory, and what
// it has acknowledged survives its restart. Of a setting that is named twice Redis takes the last.
func command(settings []string) []string {
	return append([]string{
		"redis-server",
		"--maxmemory-policy", "noeviction",
		"--appendonly", "yes", "--appendfsync", "no", // a killed server loses nothing by it, and no slow disk stalls a run
		"--protected-mode", "no",
		"--save", "",
	}, settings...)
}

// openContainer starts Redis in a container of its own.
func openContainer(ctx context.Context, choice Choice) (*Engine, error) {
	e, err := startContainer(ctx, choice)
	if err != nil && ctx.Err() != nil {
		// Whatever failed, it failed because the user stopped it; Auto must not take that for a
		// machine without Docker.
		return nil, fmt.Errorf("start Redis in a container: %w", ctx.Err())
	}
	return e, err
}

func startContainer(ctx context.Context, choice Choice) (*Engine, error) {
	choice.progress("looking for Docker")
	docker, err := reachDocker(ctx)
	if err != nil {
		return nil, err
	}
	image := redisImage(choice)
	b := &box{docker: docker, run: rand.Text()}

	addr, err := b.start(ctx, choice, image)
	if err != nil {
		return nil, errors.Join(err, b.discard())
	}
	e := &Engine{kind: Container, addr: addr, crash: b.crash}
	if _, err := e.finish(ctx, choice, b.stop); err != nil {
		return nil, &unavailable{what: "Redis in a container of " + image + " is not usable", cause: err}
	}
	e.label = fmt.Sprintf("%s in a container (%s)", e.version, image)
	choice.progress("%s answers at %s", e.label, e.addr)
	return e, nil
}

// box is one container and the client that it is handled with.
type box struct {
	docker    *client.Client
	run       string // the label by which the container is found even if nobody told us its id
	container *tcredis.RedisContainer
}

func (b *box) start(ctx context.Context, choice Choice, image string) (addr string, err error) {
	if err := removeOrphans(ctx, b.docker, choice); err != nil {
		choice.progress("containers of killed runs may be left: %v", err) // no reason not to go on
	}
	if err := needImages(ctx, b.docker, choice, image); err != nil {
		return "", err
	}
	choice.progress("creating a container of %s", image)
	if err := b.create(ctx, choice, image); err != nil {
		return "", &unavailable{what: "container of " + image + " was not created", cause: err}
	}
	choice.progress("starting Redis")
	if err := b.container.Start(ctx); err != nil {
		return "", &unavailable{what: "container of " + image + " did not start", cause: err}
	}
	choice.progress("waiting for PONG")
	if addr, err = b.address(ctx); err != nil {
		return "", &unavailable{what: "container of " + image + " is not reachable", cause: err}
	}
	return addr, nil
}

// create does not listen to ctx. An interrupted request may still create the container, after
// everybody who could remove it has gone; a request that is answered tells the id. The images are
// here, so it is a matter of milliseconds.
func (b *box) create(ctx context.Context, choice Choice, image string) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	publish := publishOn(ctx, b.docker)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTimeout)
	defer cancel()
	b.container, err = tcredis.Run(ctx, image,
		testcontainers.WithLogger(tclog.NewNoopLogger()),
		testcontainers.WithCmd(command(choice.settings())...),
		testcontainers.WithLabels(labels(b.run)),
		testcontainers.WithHostConfigModifier(publishPort(publish)),
		// The module would wait for the port by running a shell in the container, and an image need
		// not have one. The line comes first and PING is the proof.
		testcontainers.WithWaitStrategy(wait.ForLog(readyLine).
			WithStartupTimeout(startTimeout).WithPollInterval(pingPause)),
		testcontainers.WithNoStart(),
	)
	return err
}

// publishPort names an IPv4 address, because Docker would otherwise publish a second port for IPv6
// with a number of its own, and which of the two is reported is a matter of luck.
func publishPort(on netip.Addr) func(*dockercontainer.HostConfig) {
	return func(config *dockercontainer.HostConfig) {
		config.PortBindings = network.PortMap{
			network.MustParsePort(redisPort): {{HostIP: on}},
		}
	}
}

func (b *box) address(ctx context.Context) (string, error) {
	port, err := b.container.MappedPort(ctx, redisPort)
	if err != nil {
		return "", fmt.Errorf("ask for the published port: %w", err)
	}
	host, err := b.container.Host(ctx)
	if err != nil {
		return "", fmt.Errorf("ask for Docker's host: %w", err)
	}
	return reach(ctx, candidates(b.docker, port.Port(), host))
}

// crash kills the server, unless it has ended by itself, and starts it again. Docker publishes it on
// another port.
func (b *box) crash(ctx context.Context) (addr string, err error) {
	id := b.container.GetContainerID()
	_, err = b.docker.ContainerKill(ctx, id, client.ContainerKillOptions{Signal: "KILL"})
	if err != nil && !errdefs.IsConflict(err) { // that it does not run
		return "", fmt.Errorf("kill Redis: %w", err)
	}
	if _, err := b.docker.ContainerStart(ctx, id, client.ContainerStartOptions{}); err != nil {
		return "", fmt.Errorf("start Redis again: %w", err)
	}
	return b.address(ctx)
}

// discard is stop for a start that failed, most likely because ctx ended.
func (b *box) discard() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return b.stop(ctx)
}

// stop removes the container. Its data goes with it, so Redis gets no time to save them.
//
// testcontainers is told, so that it lets go of its reaper. What counts is that Docker knows no
// container of this run any more, which also covers one whose creation was never answered.
func (b *box) stop(ctx context.Context) error {
	defer b.docker.Close()
	if b.container != nil && b.container.Container != nil {
		_ = b.container.Terminate(ctx, testcontainers.StopTimeout(0))
	}
	found, err := labelled(ctx, b.docker, runLabel+"="+b.run)
	errs := []error{err}
	for _, c := range found {
		errs = append(errs, remove(ctx, b.docker, c.ID))
	}
	return errors.Join(errs...)
}
