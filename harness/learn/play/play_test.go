package play_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"example.com/importer/harness/learn/play"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/harness/world/program"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

const workbook = "../../.."

// said keeps what the programs say, and tells when a line comes.
type said struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed and made anew with each line
}

func newSaid() *said { return &said{more: make(chan struct{})} }

func (s *said) say(name, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, name+" | "+line)
	close(s.more)
	s.more = make(chan struct{})
}

func (s *said) await(t *testing.T, words string) {
	t.Helper()
	for {
		s.mu.Lock()
		all, more := strings.Join(s.lines, "\n"), s.more
		s.mu.Unlock()
		if strings.Contains(all, words) {
			return
		}
		select {
		case <-more:
		case <-t.Context().Done():
			t.Fatalf("nobody said %q:\n%s", words, all)
		}
	}
}

func open(t *testing.T, redis *engine.Engine, id string, workers int) (*play.Shop, *said) {
	t.Helper()
	stage, _ := matrix.FindStage(id)
	dir, err := filepath.Abs(filepath.Join(workbook, "stages", stage.Folder()))
	if err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Abs(filepath.Join(workbook, "data"))
	if err != nil {
		t.Fatal(err)
	}
	built := filepath.Join(t.TempDir(), "importer")
	if err := program.Build(t.Context(), dir, built); err != nil {
		t.Fatal(err)
	}
	heard := newSaid()
	shop, err := play.Open(t.Context(), play.Config{Engine: redis, Program: built, Dir: dir, DataDir: data, Workers: workers, Say: heard.say})
	if err != nil {
		t.Fatal(err)
	}
	return shop, heard
}

// Each of the commands that are printed works when it is typed.
func TestEveryLineWorks(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl to type the commands with")
	}
	for _, stage := range []string{"05", "08"} {
		t.Run(stage, func(t *testing.T) {
			workers := map[string]int{"05": 0, "08": 2}[stage]
			shop, heard := open(t, enginetest.Miniredis(t), stage, workers)
			defer func() {
				if err := shop.Close(); err != nil {
					t.Error(err)
				}
			}()
			for _, line := range play.Lines(shop.URL, workers > 0) {
				status := strconv.Itoa(line.Status)
				output, err := exec.CommandContext(t.Context(), "sh", "-c", line.Command+` -o /dev/null -w '%{http_code}'`).Output()
				if err != nil || string(output) != status {
					t.Errorf("%s: %q, %v; want %s\n%s", line.What, output, err, status, line.Command)
				}
			}
			heard.await(t, `server | {"time":`)
			heard.await(t, `"event":"job_known"`)
			if workers > 0 {
				heard.await(t, `"event":"job_completed"`)
			}
		})
	}
}

// On a real Redis: a worker may be killed, the server may not, and everything ends.
func TestWhatEnds(t *testing.T) {
	shop, heard := open(t, enginetest.Container(t), "08", 2)
	processes := shop.Processes()
	if len(processes) != 3 || processes[0].Name != "server" || processes[2].Name != "worker-2" {
		t.Fatalf("%+v", processes)
	}
	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error)
	go func() { waited <- shop.Wait(ctx, heard.say) }()
	if err := syscall.Kill(processes[1].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	heard.await(t, "worker-1 | was ended by SIGKILL")
	cancel()
	if err := <-waited; err != nil {
		t.Errorf("a worker was killed, then all was over: %v", err)
	}
	go func() { waited <- shop.Wait(t.Context(), heard.say) }()
	if err := syscall.Kill(processes[0].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; !errors.Is(err, play.ErrServerEnded) || !strings.Contains(err.Error(), "SIGKILL") {
		t.Errorf("the server was killed: %v", err)
	}
	if err := shop.Close(); err != nil {
		t.Error(err)
	}
	for _, p := range processes {
		if err := syscall.Kill(p.PID, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("%s is still there: %v", p.Name, err)
		}
	}
	if answer, err := http.Get(shop.URL + "/healthz"); err == nil {
		answer.Body.Close()
		t.Error("something still answers at " + shop.URL)
	}
}

// A program that cannot be played with leaves nothing behind.
func TestAProgramThatDoesNotStart(t *testing.T) {
	redis := enginetest.Miniredis(t)
	for name, c := range map[string]struct {
		script string
		want   error
	}{
		"no seed":   {"#!/bin/sh\nexit 3\n", play.ErrSeed},
		"no server": {"#!/bin/sh\n[ $1 = seed ] || { echo hello; sleep 100; }\n", nil},
	} {
		path := filepath.Join(t.TempDir(), "importer")
		if err := os.WriteFile(path, []byte(c.script), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := play.Open(t.Context(), play.Config{Engine: redis, Program: path, Say: func(string, string) {}})
		var wrong *program.WrongLineError
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range redis.Databases() { // all of them have been given back
		_, release, err := redis.Lease(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer release()
	}
}
