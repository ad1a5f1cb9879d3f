package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestUsage(t *testing.T) {
	t.Setenv("IMPORTER_DATA_DIR", dataFolder(t))
	for name, args := range map[string][]string{
		"no command":          nil,
		"unknown command":     {"import"},
		"command in capitals": {"Serve"},
		"a flag first":        {"--serve"},
		"an extra argument":   {"serve", "now"},
		"an unknown flag":     {"work", "--fast"},
		"a flag of another":   {"seed", "--job-id", "x"},
		"help of a command":   {"seed", "-h"},
		"nothing to enqueue":  {"enqueue"},
		"no data":             {"enqueue", "--job-id", "x"},
		"no job id":           {"enqueue", "--data", "{}"},
		"flag without value":  {"enqueue", "--job-id", "x", "--data"},
		"enqueue and more":    {"enqueue", "--job-id", "x", "--data", "{}", "y"},
	} {
		var out, log bytes.Buffer
		err := run(t.Context(), args, &out, &log)
		if !errors.Is(err, errUsage) || !strings.Contains(err.Error(), "usage: importer <command>") {
			t.Errorf("%s: %v, want errUsage with the usage", name, err)
		}
		if out.Len()+log.Len() != 0 {
			t.Errorf("%s: output %q, log %q", name, &out, &log)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, arg := range []string{"help", "-h", "--help"} {
		var out bytes.Buffer
		must(t, run(t.Context(), []string{arg}, &out, io.Discard))
		for _, command := range []string{"serve", "work", "seed", "enqueue"} {
			if !strings.Contains(out.String(), "\n  "+command+" ") {
				t.Errorf("%s does not name %s:\n%s", arg, command, &out)
			}
		}
	}
}

// program is the program as a process of its own.
func program(t *testing.T, s *store, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), runAsProgram+"=1", "GORACE=atexit_sleep_ms=0", "IMPORTER_REDIS_URL="+s.url, "IMPORTER_DATA_DIR="+dataFolder(t))
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	const noRedisURL = "IMPORTER_REDIS_URL=redis://user:hunter2@127.0.0.1:1/0"
	tests := []struct {
		name    string
		env     []string
		args    []string
		code    int
		out     string
		errLine string // how the only line on stderr begins
	}{
		{"seed", nil, []string{"seed"}, 0, "seeded 2 products\n", ""},
		{"seed again", nil, []string{"seed"}, 0, "seeded 0 products: there is stock already\n", ""},
		{"enqueue", nil, []string{"enqueue", "--job-id", "x", "--data", "y"}, 0, `{"jobId":"x","state":"waiting","stored":true}` + "\n", `{"time":`},
		{"help", nil, []string{"help"}, 0, usage, ""},
		{"bad setting", []string{"IMPORTER_ATTEMPTS=0"}, []string{"work"}, 2, "", `bad setting: IMPORTER_ATTEMPTS="0": allowed is `},
		{"address that cannot be had", []string{"IMPORTER_HTTP_ADDR=192.0.2.1:1"}, []string{"serve"}, 2, "", `bad setting: IMPORTER_HTTP_ADDR="192.0.2.1:1": `},
		{"no Redis", []string{noRedisURL}, []string{"seed"}, 1, "", "importer: script seed: "},
		{"no Redis for enqueue", []string{noRedisURL}, []string{"enqueue", "--job-id", "x", "--data", "y"}, 1, "", "importer: enqueue x: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := program(t, s, tt.env, tt.args...)
			var out, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &stderr
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			if diff := cmp.Diff(tt.out, out.String()); diff != "" {
				t.Errorf("stdout (-want +got)\n%s", diff)
			}
			text := stderr.String()
			if tt.errLine == "" && text != "" || tt.errLine != "" && (!strings.HasPrefix(text, tt.errLine) || strings.Count(text, "\n") != 1) {
				t.Errorf("stderr %q, want one line that begins %q", text, tt.errLine)
			}
			if strings.Contains(text, "hunter2") {
				t.Errorf("stderr shows the password: %s", text)
			}
		})
	}
	cmd := program(t, s, nil, "import")
	err := cmd.Run()
	if cmd.ProcessState.ExitCode() != 2 {
		t.Errorf("unknown command: %v, want exit 2", err)
	}
}

// Producer and worker as processes: the first line says where to ask, and on
// SIGTERM both end with 0.
func TestServeAndWork(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	serving := program(t, s, []string{"IMPORTER_HTTP_ADDR=127.0.0.1:0"}, "serve")
	working := program(t, s, []string{"IMPORTER_POLL_INTERVAL=1h"}, "work")
	out, err := serving.StdoutPipe()
	must(t, err)
	logs := map[*exec.Cmd]*logbook{serving: {}, working: {}}
	for cmd, log := range logs {
		cmd.Stderr = log
		must(t, cmd.Start())
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if !ok || !strings.HasPrefix(url, "http://127.0.0.1:") || strings.HasSuffix(url, ":0") {
		t.Fatalf("first line %q", line)
	}
	answer, err := http.Post(url+"/api/imports", "application/json", strings.NewReader(importA))
	must(t, err)
	answer.Body.Close()
	if answer.StatusCode != 202 {
		t.Errorf("status %d, want 202", answer.StatusCode)
	}
	s.waitFor(t, jobA, stateCompleted)
	s.wantStock(t, 20, 8, 4, "1")
	for cmd, log := range logs {
		must(t, cmd.Process.Signal(syscall.SIGTERM))
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", cmd.Args[1], err)
		}
		for _, line := range log.lines(t) {
			if line["jobId"] != jobA {
				t.Errorf("%s: log line %v", cmd.Args[1], line)
			}
		}
	}
	if names := s.consumers(t); len(names) != 0 {
		t.Errorf("consumers left: %v", names)
	}
}

// A request in hand is answered before serve returns.
func TestServeFinishesWhatItHasInHand(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	reached, letGo := make(chan struct{}), make(chan struct{})
	r := newRelay(t, s, func(command []string) fault {
		if strings.EqualFold(command[0], "HGETALL") {
			close(reached)
			select {
			case <-letGo:
			case <-t.Context().Done(): // the test has failed
			}
		}
		return pass
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, in := io.Pipe()
	done := make(chan error, 1)
	cfg := configFor(t, r.url, "IMPORTER_HTTP_ADDR", "127.0.0.1:0")
	go func() { done <- serve(ctx, cfg, (&logbook{}).logger(), in) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	url := strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	status := make(chan int, 1)
	go func() {
		answer, err := http.Get(url + "/api/imports/" + jobA)
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		answer.Body.Close()
		status <- answer.StatusCode
	}()
	<-reached
	cancel()
	eventually(t, "no new connection is accepted", func() bool {
		client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Get(url + "/nothing")
		if err == nil {
			answer.Body.Close()
		}
		return err != nil
	})
	select {
	case err := <-done:
		t.Errorf("serve returned (%v) with a request in hand", err)
	default:
	}
	close(letGo)
	if got := <-status; got != 404 {
		t.Errorf("status %d, want 404", got)
	}
	if err := <-done; err != nil {
		t.Errorf("serve: %v", err)
	}
}
