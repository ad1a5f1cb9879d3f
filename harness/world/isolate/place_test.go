package isolate_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/importer/harness/world/isolate"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/wire"
)

func start(t *testing.T, s program.Spec) *program.Process {
	t.Helper()
	p, err := program.Start(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill() })
	return p
}

// What a program is given, and how it ends, is as it is outside.
func TestAsOutside(t *testing.T) {
	i := isolated(t, "")
	t.Run("arguments and environment", func(t *testing.T) {
		s := spec(t, take(t, i), "echo", "a b", "$PATH", "")
		s.Env = []string{"A=1", "B=" + programs(t) + "/x", "C=" + programs(t) + "y"}
		result, err := program.Run(t.Context(), s)
		want := "a b|$PATH|\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin|TMPDIR=/tmp|A=1|B=/program/x|C=" + programs(t) + "y\n"
		if err != nil || result.Stdout != want {
			t.Errorf("%v, said %q, want %q", err, result.Stdout, want)
		}
	})
	t.Run("exit 2 before it listens", func(t *testing.T) {
		p := start(t, spec(t, take(t, i), "two"))
		_, err := p.Listening(t.Context())
		var exited *program.ExitError
		if !errors.As(err, &exited) || exited.Exit.Code != 2 || len(exited.Tail) != 1 || exited.Tail[0] != "a bad setting" {
			t.Errorf("%v", err)
		}
	})
	t.Run("never listens", func(t *testing.T) {
		p := start(t, spec(t, take(t, i), "sleep"))
		if exit := p.Kill(); !exit.KilledByHarness {
			t.Errorf("%+v", exit)
		}
		if err := p.Freeze(); !errors.Is(err, program.ErrExited) {
			t.Errorf("freeze after the end: %v", err)
		}
	})
	t.Run("does not stop", func(t *testing.T) {
		p := start(t, spec(t, take(t, i), "stubborn"))
		if _, err := p.FirstLine(t.Context()); err != nil {
			t.Fatal(err)
		}
		if exit, err := p.Stop(t.Context(), 50*time.Millisecond); !errors.Is(err, program.ErrStubborn) || !exit.KilledByHarness {
			t.Errorf("%v, %+v", err, exit)
		}
	})
	t.Run("no such program", func(t *testing.T) {
		s := spec(t, take(t, i))
		s.Path = "no-such-tool"
		if _, err := program.Start(t.Context(), s); !errors.Is(err, program.ErrNoTool) || !strings.Contains(err.Error(), isolate.EmptyImage) {
			t.Errorf("%v", err)
		}
	})
}

// A daemon that has left its session ends with its program: nothing is sent to Redis later.
func TestDaemonsEnd(t *testing.T) {
	place := take(t, isolated(t, ""))
	port, _ := acceptAll(t, "127.0.0.1:0")
	proxy, err := wire.ListenOn(place, place.Redis(), "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	p := start(t, spec(t, place, "daemon"))
	<-p.Done()
	if exit, _ := p.Exit(); exit.Code != 0 || !exit.Orphans {
		t.Errorf("%+v", exit)
	}
	if err := proxy.Await(t.Context(), func() bool { open, _ := proxy.Connections(); return open == 0 }); err != nil {
		t.Error(err)
	}
}

// A frozen program says nothing until it is thawed.
func TestFreeze(t *testing.T) {
	place := take(t, isolated(t, ""))
	proxy, err := wire.ListenOn(place, place.Redis(), "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	if err := proxy.Hang(); err != nil {
		t.Fatal(err)
	}
	p := start(t, spec(t, place, "chat"))
	said := func() int { return len(proxy.Exchanges()) }
	if err := proxy.Await(t.Context(), func() bool { return said() > 2 }); err != nil {
		t.Fatal(err)
	}
	for range 2 { // freezing what is frozen is no error
		if err := p.Freeze(); err != nil {
			t.Fatal(err)
		}
	}
	// What was on its way arrives; then nothing does for twenty times as long as it pauses.
	before := said()
	for until := time.Now().Add(5 * time.Second); ; before = said() {
		if time.Sleep(100 * time.Millisecond); said() == before {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("frozen, it has sent %d commands", said())
		}
	}
	if err := p.Thaw(); err != nil {
		t.Fatal(err)
	}
	if err := proxy.Await(t.Context(), func() bool { return said() > before }); err != nil {
		t.Error(err)
	}
}

// A refused connection is refused, and a listener that comes back is found again.
func TestRefuse(t *testing.T) {
	place := take(t, isolated(t, ""))
	defer place.Discard()
	port, _ := acceptAll(t, "127.0.0.1:0")
	proxy, err := wire.ListenOn(place, place.Redis(), "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	for range 2 {
		if conn, err := proxy.Dial(t.Context()); err != nil {
			t.Errorf("passing: %v", err)
		} else {
			conn.Close()
		}
		if err := proxy.Refuse(); err != nil {
			t.Fatal(err)
		}
		if _, err := proxy.Dial(t.Context()); err == nil || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("refusing: %v", err)
		}
		if err := proxy.Pass(); err != nil {
			t.Fatal(err)
		}
	}
}

// A server is reached as if it was here, from the address that its client has.
func TestServer(t *testing.T) {
	i := isolated(t, "")
	for addr, host := range map[string]string{"127.0.0.1:0": "127.0.0.1", "localhost:0": "127.0.0.1", "0.0.0.0:0": "localhost"} {
		s := spec(t, take(t, i), "serve")
		s.Env = []string{"ADDR=" + addr}
		p := start(t, s)
		url, err := p.Listening(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(url, "http://"+host+":") {
			t.Errorf("%s is reached at %s, want %s", addr, url, host)
		}
		for _, from := range []string{"127.0.0.1", "127.0.0.2"} {
			transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext, DisableKeepAlives: true}
			answer, err := (&http.Client{Transport: transport}).Get(url)
			if err != nil {
				t.Fatal(err)
			}
			seen, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if addr == "127.0.0.1:0" && string(seen) != from {
				t.Errorf("%s: a client at %s is seen at %s", addr, from, seen)
			}
			if _, err := (&http.Client{Transport: transport}).Get(url + "/cut"); err == nil {
				t.Errorf("%s: an answer to a request whose connection is cut", addr)
			}
		}
		if exit, err := p.Stop(t.Context(), 5*time.Second); err != nil || exit.Code != 0 {
			t.Errorf("%s: %v, %+v", addr, err, exit)
		}
		if _, err := net.Dial("tcp", strings.TrimPrefix(url, "http://")); err == nil {
			t.Errorf("%s: a stopped server is connected to", addr)
		}
	}
}
