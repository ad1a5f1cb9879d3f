package program

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseListening(t *testing.T) {
	for line, want := range map[string]string{
		"listening on http://127.0.0.1:8080":       "http://127.0.0.1:8080",
		"listening on http://[::1]:1":              "http://[::1]:1",
		"listening on http://localhost:65535":      "http://localhost:65535",
		"listening on http://127.0.0.1:0":          "",
		"listening on http://127.0.0.1:65536":      "",
		"listening on http://127.0.0.1:080":        "",
		"listening on http://127.0.0.1:+80":        "",
		"listening on http://127.0.0.1":            "",
		"listening on http://:8080":                "",
		"listening on http://[localhost]:80":       "",
		"listening on http://127.0.0.1:8080/":      "",
		"listening on http://127.0.0.1:8080 ":      "",
		`listening on http://127.0.0.1:8080\r`:     "",
		" listening on http://127.0.0.1:8080":      "",
		"Listening on http://127.0.0.1:8080":       "",
		"listening on https://127.0.0.1:8080":      "",
		"listening on http://user@127.0.0.1:8080":  "",
		"listening on http://a.example/x?y:1":      "",
		"listening on http://[fe80::1%25eth0]:80":  "",
		"listening on http://[fe80::1%eth0/../]:1": "",
		"": "",
	} {
		url, ok := parseListening(line)
		if url != want || ok != (want != "") {
			t.Errorf("parseListening(%q) = %q, %v; want %q", line, url, ok, want)
		}
	}
}

// Never listened, crashed and said something else are three different messages.
func TestListeningFailures(t *testing.T) {
	t.Run("crashed", func(t *testing.T) {
		p := start(t, child(t, "crash"))
		_, err := p.Listening(bounded(t))
		var exited *ExitError
		if !errors.As(err, &exited) || errors.Is(err, ErrNoLine) {
			t.Fatalf("got %v", err)
		}
		want := &ExitError{Name: "worker-1", Awaited: "its first line", Exit: Exit{Code: 3}, Tail: []string{"cannot reach Redis"}}
		exited.Exit.Duration = 0
		if diff := cmp.Diff(want, exited); diff != "" {
			t.Error(diff)
		}
		text := "worker-1 exited with status 3 after 0s, before its first line; its last log lines:\n  | cannot reach Redis"
		if diff := cmp.Diff(text, err.Error()); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("never listened", func(t *testing.T) {
		p := start(t, child(t, "silent"))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err := p.Listening(ctx)
		if !errors.Is(err, ErrNoLine) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("never listened, and killed by the same context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		p, err := Start(ctx, child(t, "silent"))
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		done(t, p)
		if _, err := p.Listening(ctx); !errors.Is(err, ErrNoLine) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("said something else", func(t *testing.T) {
		_, err := start(t, child(t, "wrong")).Listening(bounded(t))
		var wrong *WrongLineError
		if !errors.As(err, &wrong) {
			t.Fatalf("got %v", err)
		}
		want := `worker-1 printed "\x1b[2Jready: \u202eok" first, not "listening on http://HOST:PORT"`
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestFirstLineOfAProgramThatHasEnded(t *testing.T) {
	p := start(t, child(t, "half"))
	done(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if line, err := p.FirstLine(ctx); line != "no line break" || err != nil {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestListening(t *testing.T) {
	url, err := start(t, child(t, "echo")).Listening(bounded(t))
	if err != nil || !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("got %q, %v", url, err)
	}
}
