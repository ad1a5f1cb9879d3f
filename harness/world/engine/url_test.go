package engine_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	respserver "github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

const password = "s3cret/with:odd@signs"

const escaped = "s3cret%2Fwith%3Aodd%40signs"

func TestURLOfARealServer(t *testing.T) {
	t.Parallel()
	theirs := enginetest.Container(t)
	e := openAt(t, "redis://"+theirs.Addr())
	if e.Version() != theirs.Version() {
		t.Errorf("version %v, want the server's own, %v", e.Version(), theirs.Version())
	}
	if got, want := e.Label(), theirs.Version().String()+" at "+theirs.Addr()+" (yours)"; got != want {
		t.Errorf("label %q, want %q", got, want)
	}
	if !strings.Contains(e.Rehearsal(), "your own server") {
		t.Errorf("rehearsal %q does not say whose server it was", e.Rehearsal())
	}
}

func TestURLRefusesKeys(t *testing.T) {
	t.Parallel()
	theirs := enginetest.Container(t)
	set(t, theirs, 3, "precious")
	set(t, theirs, 9, "one")
	set(t, theirs, 9, "two")
	choice := engine.Choice{Kind: engine.URL, URL: "redis://" + theirs.Addr()}

	_, err := engine.Open(t.Context(), choice)
	if !errors.Is(err, engine.ErrNotEmpty) || errors.Is(err, engine.ErrUnavailable) {
		t.Fatalf("got %v, want a refusal that is ErrNotEmpty", err)
	}
	if want := "database 3: 1 key, database 9: 2 keys"; !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not say %q", err, want)
	}

	choice.MayFlush = true
	open(t, choice)
	if n := size(t, theirs, 3); n != 1 {
		t.Error("opening alone deleted keys")
	}
}

func TestURLCredentials(t *testing.T) {
	server := startServer(t)
	server.RequireUserAuth("learner", password)
	e := openAt(t, "redis://learner:"+escaped+"@"+server.Addr())
	noSecret(t, e)

	options, err := redis.ParseURL(e.URL(5, e.Addr()))
	if err != nil {
		t.Fatal(err)
	}
	program := redis.NewClient(options)
	defer program.Close()
	if err := program.Set(t.Context(), "k", "v", 0).Err(); err != nil {
		t.Errorf("a program with the URL it was given: %v", err)
	}
	if n := size(t, e, 5); n != 1 {
		t.Errorf("database 5 holds %d keys, want the program's 1", n)
	}
}

func TestURLWithTLS(t *testing.T) {
	lender := httptest.NewTLSServer(nil) // of a certificate
	defer lender.Close()
	server := miniredis.NewMiniRedis()
	if err := server.StartAddrTLS("127.0.0.1:0", &tls.Config{Certificates: lender.TLS.Certificates}); err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	answerInfo(server)
	server.RequireUserAuth("learner", password)
	address := "rediss://learner:" + escaped + "@" + server.Addr()

	e := openAt(t, address+"?skip_verify=true")
	noSecret(t, e)
	if e.Addr() == server.Addr() {
		t.Error("the address is the TLS server's own: a proxy could not read what passes")
	}
	if !strings.Contains(e.Label(), server.Addr()) {
		t.Errorf("label %q does not name the user's server", e.Label())
	}
	set(t, e, 0, "through the tunnel")

	_, err := engine.Open(t.Context(), engine.Choice{Kind: engine.URL, URL: address})
	if !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate nobody signed: %v, want it told as that", err)
	}
}

func TestURLErrorsKeepThePassword(t *testing.T) {
	for name, url := range map[string]string{
		"wrong password": "redis://learner:s3cret@" + locked(t),
		"no server":      "redis://learner:s3cret@127.0.0.1:1",
		"unescaped":      "redis://learner:s3cret/x@127.0.0.1:1",
		"bad database":   "redis://learner:s3cret@127.0.0.1:1/s3cret",
		"other database": "redis://learner:s3cret@127.0.0.1:1/7",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engine.Open(t.Context(), engine.Choice{Kind: engine.URL, URL: url})
			if err == nil || strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line without the password", err)
			}
		})
	}
}

func TestURLCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := engine.Open(ctx, engine.Choice{Kind: engine.URL, URL: "redis://127.0.0.1:1"})
	if !errors.Is(err, context.Canceled) || errors.Is(err, engine.ErrUnavailable) {
		t.Errorf("got %v, want the cancellation", err)
	}
}

// locked is a server that refuses the password s3cret.
func locked(t *testing.T) string {
	server := startServer(t)
	server.RequireAuth("another")
	return server.Addr()
}

func noSecret(t *testing.T, e *engine.Engine) {
	t.Helper()
	for _, text := range []string{e.Label(), e.Rehearsal(), e.Addr()} {
		if strings.Contains(text, "s3cret") {
			t.Errorf("%q shows the password", text)
		}
	}
}

func openAt(t *testing.T, url string) *engine.Engine {
	t.Helper()
	return open(t, engine.Choice{Kind: engine.URL, URL: url})
}

// startServer is somebody's server for tests that need no real one.
func startServer(t *testing.T) *miniredis.Miniredis {
	t.Helper()
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	answerInfo(server)
	return server
}

// answerInfo makes up for the section of INFO that miniredis lacks.
func answerInfo(server *miniredis.Miniredis) {
	server.Server().SetPreHook(func(peer *respserver.Peer, command string, args ...string) bool {
		if command != "INFO" {
			return false
		}
		peer.WriteBulk("# Server\r\nredis_version:7.2.4\r\n")
		return true
	})
}
