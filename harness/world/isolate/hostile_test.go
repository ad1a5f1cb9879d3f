package isolate_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/importer/harness/world/isolate"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/wire"
)

// acceptAll listens and says how many have connected.
func acceptAll(t *testing.T, addr string) (port string, count func() int) {
	t.Helper()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan int, 1)
	seen <- 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.Close()
			seen <- 1 + <-seen
		}
	}()
	t.Cleanup(func() { listener.Close(); <-done })
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port, func() int { n := <-seen; seen <- n; return n }
}

// It reaches its Redis and nothing else: not this machine's loopback or any other address of
// it, not another program's proxy, no name server, not the internet.
func TestReachesNothing(t *testing.T) {
	i := isolated(t, "")
	everywhere, count := acceptAll(t, "0.0.0.0:0") // on the gateway of Docker's bridge, too
	other, err := wire.Listen("127.0.0.1:" + everywhere)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	forbidden := []string{"127.0.0.1:" + everywhere, "172.17.0.1:" + everywhere, other.Addr(), "1.1.1.1:53", "169.254.169.254:80"}
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil {
			forbidden = append(forbidden, net.JoinHostPort(ip.IP.String(), everywhere))
		}
	}
	place := take(t, i)
	proxy, err := wire.ListenOn(place, place.Redis(), "127.0.0.1:"+everywhere)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	result, err := program.Run(t.Context(), spec(t, place, append([]string{"reach", place.Redis()}, forbidden...)...))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(result.Stdout)
	if !strings.Contains(result.Stdout, "done "+place.Redis()+"\n") {
		t.Errorf("it does not reach its own Redis")
	}
	for _, addr := range append(forbidden, "names") {
		if !strings.Contains(result.Stdout, "not "+addr+":") {
			t.Errorf("it reaches %s", addr)
		}
	}
	if devices := regexp.MustCompile(`device \S+`).FindAllString(result.Stdout, -1); fmt.Sprint(devices) != "[device lo]" {
		t.Errorf("its network: %v, want lo alone", devices)
	}
	if n := count(); n != 0 {
		t.Errorf("%d connections came through", n)
	}
}

// It writes to /tmp, within a bound, and nowhere else.
func TestWritesNothing(t *testing.T) {
	result := ran(t, isolated(t, ""), "write")
	var places []string
	for line := range strings.Lines(result.Stdout) {
		if what, ok := strings.CutPrefix(line, "done "); ok {
			places = append(places, strings.TrimSpace(what))
		}
	}
	if fmt.Sprint(places) != "[write /tmp]" {
		t.Errorf("done: %q, want to write to /tmp and nothing else", places)
	}
	if !strings.Contains(result.Stdout, "not fill /tmp: ") {
		t.Errorf("/tmp has no bound")
	}
}

// It finds no file of the grader, and nothing in the first process.
func TestReadsNothing(t *testing.T) {
	i := isolated(t, "")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("open-sesame"), 0o644); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	result := ran(t, i, "read", secret, filepath.Join(here, "isolate.go"), "/etc/shadow", "/etc/hostname/../../"+secret)
	if strings.Contains(result.Stdout, "done ") {
		t.Error("it reads what it should not")
	}
	if !strings.Contains(result.Stdout, "processes 2\n") {
		t.Error("it sees other processes than the first one and itself")
	}
}

// It is nobody, and can become nobody else.
func TestIsNobody(t *testing.T) {
	said := ran(t, isolated(t, ""), "who").Stdout
	for _, want := range []string{"user 65534 65534 65534\n", "groups [65534]\n", "CapEff: 0000000000000000\n", "CapPrm: 0000000000000000\n", "CapBnd: 0000000000000000\n", "NoNewPrivs: 1\n", "Seccomp: 2\n", "not root: ", "not chroot: ", "not unshare: "} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// The first process cannot be ended, traced or spoken for.
func TestCannotHarmTheFirstProcess(t *testing.T) {
	result := ran(t, isolated(t, ""), "attack")
	if result.Exit.Code != 0 || !strings.Contains(result.Stdout, "still here\n") || strings.Contains(result.Stdout, "done ") {
		t.Errorf("%s", result.Exit)
	}
}

// A fork bomb is at its bound soon, ends as its first process does, and harms nobody.
func TestForkBomb(t *testing.T) {
	i := isolated(t, "")
	result := ran(t, i, "fork")
	switch match := regexp.MustCompile(`forked (\d+) `).FindStringSubmatch(result.Stdout); {
	case match == nil && result.Exit.Code == 0:
		t.Errorf("%s, and says nothing", result.Exit)
	case match == nil:
		t.Logf("it was ended with its container: %s", result.Exit) // a Go program needs threads to say anything
	default:
		if n, _ := strconv.Atoi(match[1]); n == 0 || n > isolate.MaxProcesses {
			t.Errorf("it has forked %d times, want some and at most %d", n, isolate.MaxProcesses)
		}
		if !result.Exit.Orphans {
			t.Errorf("%s: its children are not seen", result.Exit)
		}
	}
	if next := ran(t, i, "echo", "hello"); !strings.HasPrefix(next.Stdout, "hello\n") {
		t.Errorf("the next program says %q", next.Stdout)
	}
}

// Memory that runs out is told as that, and as the program's own end.
func TestEatsMemory(t *testing.T) {
	begun := time.Now()
	result := ran(t, isolated(t, ""), "eat")
	if !result.Exit.OutOfMemory || result.Exit.KilledByHarness || !strings.Contains(result.Exit.String(), "out of the memory that it may use") {
		t.Errorf("%+v after %v", result.Exit, time.Since(begun))
	}
}
