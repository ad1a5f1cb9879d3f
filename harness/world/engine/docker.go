package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

// dockerTimeout is how long Docker may take to say that it is there.
const dockerTimeout = 3 * time.Second

// reachDocker returns a client of the engine that testcontainers will use. The caller closes it.
//
// It looks before testcontainers does. testcontainers remembers a failed look for the rest of the
// process, asks with no time limit in places, and falls back from a DOCKER_HOST that does not answer
// to some other engine that the user did not name.
func reachDocker(ctx context.Context) (*client.Client, error) {
	host := os.Getenv(client.EnvOverrideHost)
	if host == "" && defaultSocketExists() {
		host = client.DefaultDockerHost
	}
	if host != "" {
		if err := pingDocker(ctx, host); err != nil {
			return nil, unreachable(host, err)
		}
	}

	// Not cut short by ctx, because of the memory mentioned above. It is short anyway.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dockerTimeout)
	defer cancel()
	docker, err := testcontainers.NewDockerClientWithOpts(ctx)
	if err != nil {
		if host == "" {
			err = fmt.Errorf("no socket at %s, and DOCKER_HOST is not set (%w)", socketPath(), err)
		}
		return nil, &unavailable{what: "Docker not reachable", cause: err}
	}
	return docker.Client, nil
}

func pingDocker(ctx context.Context, host string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, dockerTimeout, fmt.Errorf("no answer within %v", dockerTimeout))
	defer cancel()
	docker, err := client.New(client.FromEnv, client.WithHost(host))
	if err != nil {
		return err
	}
	defer docker.Close()
	if _, err := docker.Ping(ctx, client.PingOptions{}); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return context.Cause(ctx)
		}
		return err
	}
	return nil
}

func unreachable(host string, err error) error {
	if errors.Is(err, fs.ErrPermission) || strings.Contains(err.Error(), "permission denied") {
		err = fmt.Errorf("permission denied on %s: is your user in the group docker?", host)
	} else if !strings.Contains(err.Error(), host) {
		err = fmt.Errorf("%s: %w", host, err)
	}
	return &unavailable{what: "Docker not reachable", cause: err}
}

// socketPath is empty where Docker's default is not a Unix socket.
func socketPath() string {
	path, found := strings.CutPrefix(client.DefaultDockerHost, "unix://")
	if !found {
		return ""
	}
	return path
}

func defaultSocketExists() bool {
	_, err := os.Stat(socketPath())
	return err == nil
}
