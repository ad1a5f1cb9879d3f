package isolate_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/client"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/isolate"
	"example.com/importer/harness/world/program"
)

// victim isolates a program that freezes, says so, and then does nothing until it is killed
// or its parent ends.
func victim(inside string) {
	isolation, err := isolate.Open(context.Background(), isolate.Options{Inside: inside})
	if err == nil {
		isolation.Share(filepath.Dir(inside), "/program")
		var place *isolate.Place
		if place, err = isolation.Take(context.Background()); err == nil {
			var p *program.Process
			p, err = program.Start(context.Background(), program.Spec{Name: "hostile", Path: "/program/hostile", Args: []string{"sleep"}, In: place})
			if err == nil {
				err = p.Freeze()
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}

// Of a harness that is killed no container runs on, not even one whose program stands still;
// and one that was just being made is removed by a later harness.
func TestAKilledHarness(t *testing.T) {
	isolated(t, "") // skips without Docker
	docker, err := engine.ReachDocker(t.Context(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	defer docker.Close()
	temp := t.TempDir() // what the victim leaves in there is not removed by anybody else
	harness := exec.CommandContext(t.Context(), os.Args[0])
	harness.Env = append(os.Environ(), victimVariable+"="+filepath.Join(programs(t), "inside"), "TMPDIR="+temp)
	harness.Stderr = os.Stderr
	stdin, err := harness.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := harness.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := harness.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	of := func(running bool) int {
		list, err := docker.ContainerList(t.Context(), client.ContainerListOptions{All: !running, Filters: make(client.Filters).Add("label", engine.OwnerLabel)})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, c := range list.Items {
			if strings.HasPrefix(c.Labels[engine.OwnerLabel], fmt.Sprintf("%d@", harness.Process.Pid)) {
				n++
			}
		}
		return n
	}
	if n := of(true); n == 0 {
		t.Error("no container carries the label of its owner")
	}
	if err := harness.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = harness.Wait()
	for until := time.Now().Add(20 * time.Second); of(true) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d containers run on", of(true))
		}
	}
	for until := time.Now().Add(20 * time.Second); of(false) > 0; time.Sleep(50 * time.Millisecond) {
		later, err := engine.ReachDocker(t.Context(), func(line string) { t.Log(line) })
		if err != nil {
			t.Fatal(err)
		}
		later.Close()
		if time.Now().After(until) {
			t.Fatalf("%d containers are left", of(false))
		}
	}
}

// When ctx ends, nothing is left either.
func TestInterrupted(t *testing.T) {
	isolation := isolated(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	p, err := program.Start(ctx, spec(t, take(t, isolation), "sleep"))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-p.Done()
	if _, err := isolation.Take(ctx); err == nil {
		// One that was ready may be handed out all the same; it is ended with the rest.
		t.Log("a place was ready")
	}
	if err := isolation.Build(ctx, t.TempDir(), []string{"true"}, time.Minute); err == nil {
		t.Error("a build has begun")
	}
}
