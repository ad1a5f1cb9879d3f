package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Every setting with values that must be refused. The error names the variable,
// the value and what is allowed; run says the same, which is exit code 2.
func TestSettingsRefused(t *testing.T) {
	duration := []string{"", " ", "5", "1", "-1s", "1.5", "1e3", "10 s", "1s ", "soon", "1us", "1500us", "1ms1ns", "9999999h"}
	number := []string{"", " ", "0", "-1", "+5", "1.5", "1e3", "0x10", "1_000", " 5", "5\n", "99999999999999999999", "five"}
	tests := map[string]struct {
		values  []string
		allowed string
	}{
		"IMPORTER_REDIS_URL": {[]string{"", "localhost", "127.0.0.1", "http://127.0.0.1:6379", "unix:///tmp/redis.sock", "redis://", "redis:///0",
			"redis://127.0.0.1:6379/x", "redis://127.0.0.1:6379/-1", "redis://127.0.0.1:6379/0/1", "redis://127.0.0.1:65536/0", "redis://127.0.0.1:99999", "redis://127.0.0.1:6379:6379"},
			"redis://[user:password@]host:port/database"},
		"IMPORTER_HTTP_ADDR": {[]string{"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+80", "127.0.0.1:080", "::1:80"},
			"a port from 0 to 65535"},
		"IMPORTER_RATE_LIMIT":    {append(number, "1000001"), "a whole number from 1 to 1000000"},
		"IMPORTER_RATE_WINDOW":   {append(duration, "0s", "24h0m0.001s"), "from 1ms to 24h0m0s"},
		"IMPORTER_LOCK_DURATION": {append(duration, "0s", "9ms", "1h0m1s"), "from 10ms to 1h0m0s"},
		"IMPORTER_POLL_INTERVAL": {append(duration, "0s", "1h0m1s"), "from 1ms to 1h0m0s"},
		"IMPORTER_RETENTION":     {append(duration, "8760h0m1s"), "from 0s to 8760h0m0s"},
		"IMPORTER_ATTEMPTS":      {append(number, "101"), "a whole number from 1 to 100"},
		"IMPORTER_BACKOFF":       {append(duration, "0s", "1m0.001s", "1h"), "from 1ms to 1m0s"},
		"IMPORTER_DEADLINE":      {append(duration, "0s", "24h0m1s"), "from 1ms to 24h0m0s"},
		"IMPORTER_CONCURRENCY":   {append(number, "1001"), "a whole number from 1 to 1000"},
		"IMPORTER_DATA_DIR":      {[]string{"", "/does/not/exist", "testdata", "config.go"}, "a folder that holds catalog.json and shipment-a.csv"},
	}
	for name, tt := range tests {
		for _, value := range tt.values {
			t.Run(name+"="+value, func(t *testing.T) {
				t.Setenv("IMPORTER_DATA_DIR", dataFolder(t))
				t.Setenv(name, value)
				ctx, cancel := context.WithCancel(t.Context())
				cancel() // a worker that starts all the same stops at once
				for what, err := range map[string]error{
					"loadConfig": second(loadConfig(os.LookupEnv)),
					"run":        run(ctx, []string{"work"}, io.Discard, io.Discard),
				} {
					if !errors.Is(err, errConfig) {
						t.Fatalf("%s: %v, want errConfig", what, err)
					}
					for _, part := range []string{name, strconv.Quote(value), tt.allowed} {
						if !strings.Contains(err.Error(), part) {
							t.Errorf("%s: %q does not say %s", what, err, part)
						}
					}
					if strings.Contains(err.Error(), "\n") {
						t.Errorf("%s: %q is more than one line", what, err)
					}
				}
			})
		}
	}
}

func second[A, B any](_ A, b B) B { return b }

// What a person writes in a wrong place may be a password all the same.
func TestNoPasswordInErrors(t *testing.T) {
	for _, url := range []string{
		"redis://user:hunter2@127.0.0.1:6379/x",
		"redis://:hunter2@127.0.0.1:6379/x",
		"http://user:hunter2@127.0.0.1",
		"//user:hunter2@127.0.0.1",
		"user:hunter2@127.0.0.1:6379",
		"redis:hunter2@127.0.0.1:6379",
		":hunter2@127.0.0.1:6379",
		"hunter2@127.0.0.1:6379",
		"hunter2@127.0.0.1",
		"redis:///:hunter2@127.0.0.1:6379",
		"redis://127.0.0.1:6379/0?password=hunter2",
		"redis://127.0.0.1:6379/0#hunter2",
		"redis://user:12/hunter2@127.0.0.1:6379/0",
		"redis://user:12#hunter2@127.0.0.1:6379/0",
		"redis://user:12?hunter2@127.0.0.1:6379/0",
		"redis://user:hunter2 @127.0.0.1:6379/0",
		"redis://user:hunter2%zz@127.0.0.1:6379/0",
		"redis://user:hunter2@127.0.0.1:6379:6379/0",
		"redis://user:hunter2@127.0.0.1:6379/0\n",
	} {
		t.Run(url, func(t *testing.T) {
			_, err := loadConfig(lookupIn(map[string]string{"IMPORTER_REDIS_URL": url, "IMPORTER_DATA_DIR": dataFolder(t)}))
			if !errors.Is(err, errConfig) || !strings.Contains(err.Error(), "IMPORTER_REDIS_URL") {
				t.Fatalf("%v, want errConfig that names the variable", err)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%q shows the password", err)
			}
		})
	}
}

func TestSettingsAccepted(t *testing.T) {
	type view struct {
		addr, user, password     string
		db                       int
		tls                      bool
		http                     string
		rate                     int
		window, lock, poll, keep time.Duration
		attempts                 int
		backoff, deadline        time.Duration
		concurrency              int
	}
	defaults := view{addr: "127.0.0.1:6379", http: "127.0.0.1:8080", rate: 60, window: time.Minute, lock: 30 * time.Second,
		poll: time.Second, keep: time.Hour, attempts: 5, backoff: time.Second, deadline: 2 * time.Minute, concurrency: 1}
	with := func(change func(*view)) view { v := defaults; change(&v); return v }
	tests := []struct {
		name, value string
		want        view
	}{
		{"", "", defaults},
		{"IMPORTER_REDIS_URL", "redis://127.0.0.1", defaults},
		{"IMPORTER_REDIS_URL", "redis://user:p%40ss@shop.example:6380/15", with(func(v *view) { v.addr, v.user, v.password, v.db = "shop.example:6380", "user", "p@ss", 15 })},
		{"IMPORTER_REDIS_URL", "rediss://shop.example/", with(func(v *view) { v.addr, v.tls = "shop.example:6379", true })},
		{"IMPORTER_REDIS_URL", "redis://[::1]:6379/0", with(func(v *view) { v.addr = "[::1]:6379" })},
		{"IMPORTER_HTTP_ADDR", "127.0.0.1:0", with(func(v *view) { v.http = "127.0.0.1:0" })},
		{"IMPORTER_HTTP_ADDR", ":65535", with(func(v *view) { v.http = ":65535" })},
		{"IMPORTER_HTTP_ADDR", "[::1]:80", with(func(v *view) { v.http = "[::1]:80" })},
		{"IMPORTER_RATE_LIMIT", "1", with(func(v *view) { v.rate = 1 })},
		{"IMPORTER_RATE_LIMIT", "1000000", with(func(v *view) { v.rate = 1_000_000 })},
		{"IMPORTER_RATE_WINDOW", "1ms", with(func(v *view) { v.window = time.Millisecond })},
		{"IMPORTER_RATE_WINDOW", "24h", with(func(v *view) { v.window = 24 * time.Hour })},
		{"IMPORTER_LOCK_DURATION", "10ms", with(func(v *view) { v.lock = 10 * time.Millisecond })},
		{"IMPORTER_LOCK_DURATION", "1h", with(func(v *view) { v.lock = time.Hour })},
		{"IMPORTER_POLL_INTERVAL", "1ms", with(func(v *view) { v.poll = time.Millisecond })},
		{"IMPORTER_POLL_INTERVAL", "1.5s", with(func(v *view) { v.poll = 1500 * time.Millisecond })},
		{"IMPORTER_RETENTION", "0s", with(func(v *view) { v.keep = 0 })},
		{"IMPORTER_RETENTION", "8760h", with(func(v *view) { v.keep = 8760 * time.Hour })},
		{"IMPORTER_ATTEMPTS", "1", with(func(v *view) { v.attempts = 1 })},
		{"IMPORTER_ATTEMPTS", "100", with(func(v *view) { v.attempts = 100 })},
		{"IMPORTER_BACKOFF", "1ms", with(func(v *view) { v.backoff = time.Millisecond })},
		{"IMPORTER_BACKOFF", "1m", with(func(v *view) { v.backoff = time.Minute })},
		{"IMPORTER_DEADLINE", "24h", with(func(v *view) { v.deadline = 24 * time.Hour })},
		{"IMPORTER_CONCURRENCY", "1000", with(func(v *view) { v.concurrency = 1000 })},
	}
	for _, tt := range tests {
		t.Run(tt.name+"="+tt.value, func(t *testing.T) {
			vars := map[string]string{"IMPORTER_DATA_DIR": dataFolder(t)}
			if tt.name != "" {
				vars[tt.name] = tt.value
			}
			c, err := loadConfig(lookupIn(vars))
			must(t, err)
			got := view{c.redis.Addr, c.redis.Username, c.redis.Password, c.redis.DB, c.redis.TLSConfig != nil, c.httpAddr,
				c.rateLimit, c.rateWindow, c.lockDuration, c.pollInterval, c.retention, c.attempts, c.backoff, c.deadline, c.concurrency}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(view{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The data folder is the one that is named; if none is, it is ../../data as
// seen from the working folder. A folder that lacks a file is no data folder.
func TestDataDir(t *testing.T) {
	root := t.TempDir()
	stage := filepath.Join(root, "stages", "some-stage")
	must(t, os.MkdirAll(stage, 0o755))
	t.Chdir(stage)

	if _, err := loadConfig(lookupIn(nil)); !errors.Is(err, errConfig) || !strings.Contains(err.Error(), "IMPORTER_DATA_DIR") {
		t.Errorf("not set and not there: %v, want errConfig for IMPORTER_DATA_DIR", err)
	}

	data := filepath.Join(root, "data")
	must(t, os.MkdirAll(filepath.Join(data, "shipment-a.csv"), 0o755))
	must(t, os.WriteFile(filepath.Join(data, "catalog.json"), []byte("[]"), 0o644))
	if _, err := loadConfig(lookupIn(map[string]string{"IMPORTER_DATA_DIR": data})); !errors.Is(err, errConfig) {
		t.Errorf("a folder in place of a file: %v, want errConfig", err)
	}

	must(t, os.Remove(filepath.Join(data, "shipment-a.csv")))
	must(t, os.WriteFile(filepath.Join(data, "shipment-a.csv"), nil, 0o644))
	found, err := loadConfig(lookupIn(nil))
	must(t, err)
	named, err := loadConfig(lookupIn(map[string]string{"IMPORTER_DATA_DIR": data}))
	must(t, err)
	want := []string{filepath.Join("..", "..", "data"), data}
	if diff := cmp.Diff(want, []string{found.dataDir, named.dataDir}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
