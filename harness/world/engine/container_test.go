package engine_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/moby/moby/client"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

func TestContainerIsTheRealThing(t *testing.T) {
	t.Parallel()
	e := enginetest.Container(t)
	if e.Kind() != engine.Container || e.Rehearsal() != "" {
		t.Errorf("kind %q, rehearsal %q, want a container and no excuse", e.Kind(), e.Rehearsal())
	}
	if !strings.HasPrefix(e.Label(), e.Version().String()+" in a container (") || !e.Version().AtLeast(1, 0) {
		t.Errorf("label %q, version %v", e.Label(), e.Version())
	}
	if e.Databases() != 16 {
		t.Errorf("%d databases, want 16", e.Databases())
	}

	client := e.Client(0)
	defer client.Close()
	got := map[string]string{}
	for _, name := range []string{"maxmemory-policy", "appendonly", "save"} {
		setting, err := client.ConfigGet(t.Context(), name).Result()
		if err != nil {
			t.Fatal(err)
		}
		got[name] = setting[name]
	}
	want := map[string]string{"maxmemory-policy": "noeviction", "appendonly": "yes", "save": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestContainerSettings(t *testing.T) {
	t.Parallel()
	e := enginetest.Container(t, "--databases", "3", "--save", "900 1")
	client := e.Client(0)
	defer client.Close()
	save, err := client.ConfigGet(t.Context(), "save").Result()
	if err != nil {
		t.Fatal(err)
	}
	if e.Databases() != 3 || save["save"] != "900 1" {
		t.Errorf("%d databases, save %q; want the settings that were given", e.Databases(), save["save"])
	}
}

// What was acknowledged is there again, whether the server was killed or told to end.
func TestCrash(t *testing.T) {
	t.Parallel()
	e := enginetest.Container(t)
	for what, end := range map[string]func(context.Context, *redis.Client) error{
		"running":   func(context.Context, *redis.Client) error { return nil },
		"shut down": func(ctx context.Context, c *redis.Client) error { return c.ShutdownNoSave(ctx).Err() },
	} {
		set(t, e, 3, what)
		before := size(t, e, 3)
		client := e.Client(0)
		if err := end(t.Context(), client); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		client.Close()
		if err := e.Crash(t.Context()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if n := size(t, e, 3); n != before {
			t.Errorf("%s: %d keys afterwards, want %d", what, n, before)
		}
	}
}

// A Redis without a password has no business on a network.
func TestContainerIsPublishedOnLoopback(t *testing.T) {
	enginetest.Container(t)
	if host := dockerClient(t).DaemonHost(); !strings.HasPrefix(host, "unix://") {
		t.Skipf("the engine at %s is on another machine, where loopback would not be reachable", host)
	}
	for _, address := range published(t) {
		if address != "127.0.0.1" {
			t.Errorf("published on %q, want 127.0.0.1", address)
		}
	}
}

func TestAutoTakesTheContainer(t *testing.T) {
	t.Parallel()
	enginetest.Container(t) // or skip
	e := open(t, engine.Choice{Kind: engine.Auto})
	if e.Kind() != engine.Container || e.Rehearsal() != "" {
		t.Errorf("kind %q, rehearsal %q, want a container and no excuse", e.Kind(), e.Rehearsal())
	}
}

// Ctrl-C may come at any moment: at each step that Open tells of, and in between. Not parallel, as
// it looks at all containers of this process.
func TestContainerCancelled(t *testing.T) {
	enginetest.Container(t).Close() // or skip
	var steps int
	count := open(t, engine.Choice{Kind: engine.Container, Progress: func(string) { steps++ }})
	count.Close()

	for step := 1; step < steps; step++ { // the last one says that it is done
		t.Run(fmt.Sprintf("at step %d", step), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			seen := 0
			cancelled(t, ctx, engine.Choice{Kind: engine.Auto, Progress: func(string) {
				if seen++; seen == step {
					cancel()
				}
			}})
		})
	}
	for _, after := range []time.Duration{1, 10, 30, 60, 100, 200, 300, 400, 500} {
		t.Run(fmt.Sprintf("after %d ms", after), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), after*time.Millisecond)
			defer cancel()
			cancelled(t, ctx, engine.Choice{Kind: engine.Auto})
		})
	}
}

func cancelled(t *testing.T, ctx context.Context, choice engine.Choice) {
	t.Helper()
	e, err := engine.Open(ctx, choice)
	if err == nil { // it was faster
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	} else if !errors.Is(err, ctx.Err()) || errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("got %v, want the cancellation", err)
	}
	left, err := engine.Leftovers(t.Context())
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// A harness that is killed cannot clean up; the next one does, and leaves alone what is in use.
func TestKilledHarness(t *testing.T) {
	t.Parallel()
	inUse := enginetest.Container(t)
	pid := killedHarness(t)
	if left := owned(t, pid); len(left) != 1 {
		t.Fatalf("the killed harness left %q, want its one container", left)
	}

	var told []string
	open(t, engine.Choice{Kind: engine.Container, Progress: func(line string) { told = append(told, line) }})
	if left := owned(t, pid); len(left) != 0 {
		t.Errorf("still there: %q", left)
	}
	if !strings.Contains(strings.Join(told, "\n"), fmt.Sprintf("left by process %d@", pid)) {
		t.Errorf("nothing was said of it: %q", told)
	}
	set(t, inUse, 0, "still answering")
}

// killedHarness returns the process number of a harness that was killed with a container running.
func killedHarness(t *testing.T) int {
	t.Helper()
	victim := exec.CommandContext(t.Context(), os.Args[0])
	victim.Env = append(os.Environ(), victimVariable+"=1")
	victim.Stderr = t.Output()
	hold, err := victim.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	said, err := victim.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	_ = victim.Process.Kill()
	_ = victim.Wait()
	if line != "ready\n" {
		t.Fatalf("the victim said %q, %v, want it ready", line, err)
	}
	return victim.Process.Pid
}

func TestContainerUnavailable(t *testing.T) {
	for name, host := range map[string]string{
		"nothing listens": "tcp://127.0.0.1:1",
		"no such socket":  "unix:///nowhere/docker.sock",
		"never answers":   silentSocket(t),
		"not an address":  "nonsense",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DOCKER_HOST", host)
			err := unavailableIn(t, 5*time.Second, engine.Choice{Kind: engine.Container})
			if !strings.HasPrefix(err.Error(), "Docker not reachable: ") || !strings.Contains(err.Error(), host) {
				t.Errorf("%q does not begin with the trouble, or does not name %s", err, host)
			}

			e := open(t, engine.Choice{Kind: engine.Auto})
			if e.Kind() != engine.Miniredis || e.Rehearsal() != "rehearsed on miniredis only: "+err.Error() {
				t.Errorf("kind %q, rehearsal %q, want miniredis and the reason", e.Kind(), e.Rehearsal())
			}
		})
	}
}

func TestContainerImageMissing(t *testing.T) {
	t.Parallel()
	enginetest.Container(t) // or skip
	const image = "importer-no-such-image:none"
	err := unavailableIn(t, 15*time.Second, engine.Choice{Kind: engine.Container, Image: image})
	for _, want := range []string{image, "make redis-image", engine.ImageVariable} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %s", err, want)
		}
	}
}

func unavailableIn(t *testing.T, limit time.Duration, choice engine.Choice) error {
	t.Helper()
	begin := time.Now()
	_, err := engine.Open(t.Context(), choice)
	if !errors.Is(err, engine.ErrUnavailable) {
		t.Fatalf("got %v, want ErrUnavailable", err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q is more than one line", err)
	}
	if took := time.Since(begin); took > limit {
		t.Errorf("it took %v to say so, want at most %v", took, limit)
	}
	return err
}

// silentSocket takes connections and never says a word, as a Docker engine that hangs does.
func silentSocket(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "d.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() }) // the backlog accepts; nobody needs to
	return "unix://" + path
}

func dockerClient(t *testing.T) *client.Client {
	t.Helper()
	docker, err := client.New(client.FromEnv)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { docker.Close() })
	return docker
}

// owned lists the containers of the harness with process number pid.
func owned(t *testing.T, pid int) []string {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	list, err := dockerClient(t).ContainerList(t.Context(), client.ContainerListOptions{
		All:     true,
		Filters: make(client.Filters).Add("label", fmt.Sprintf("%s=%d@%s", engine.OwnerLabel, pid, host)),
	})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range list.Items {
		ids = append(ids, c.ID)
	}
	return ids
}

// published lists the host addresses on which this process' containers have ports.
func published(t *testing.T) []string {
	t.Helper()
	var addresses []string
	for _, id := range owned(t, os.Getpid()) {
		inspected, err := dockerClient(t).ContainerInspect(t.Context(), id, client.ContainerInspectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, bindings := range inspected.Container.NetworkSettings.Ports {
			for _, binding := range bindings {
				addresses = append(addresses, binding.HostIP.String())
			}
		}
	}
	if len(addresses) == 0 {
		t.Fatal("no port is published")
	}
	return addresses
}
