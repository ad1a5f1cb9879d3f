package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"
)

// The tests of scripts and queue run against an in-process Redis. To run them
// against a real one, name a database that may be emptied:
//
//	IMPORTER_TEST_REDIS_URL=redis://127.0.0.1:6379/0 go test ./...
//
// EVERY TEST FLUSHES THAT DATABASE.
const realRedis = "IMPORTER_TEST_REDIS_URL"

// runAsProgram turns the test binary into the program itself, so that exit
// codes, streams and signals can be tested on a process of its own.
const runAsProgram = "IMPORTER_TEST_RUN_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(runAsProgram) == "1" {
		main()
		os.Exit(0)
	}
	// Tests that run beside others mostly wait for time limits of the program.
	flag.Parse()
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// store is the Redis of one test, empty at its beginning, and a client for the
// test's own looks at it.
type store struct {
	*redis.Client
	mini *miniredis.Miniredis // nil on a real server
	url  string
	own  *redis.Client // see client
}

func newStore(t *testing.T) *store {
	t.Helper()
	url := os.Getenv(realRedis)
	if url == "" {
		return newMiniStore(t)
	}
	opts, err := redis.ParseURL(url)
	if err != nil {
		t.Fatalf("%s: %v", realRedis, err)
	}
	s := &store{Client: redis.NewClient(opts), url: url}
	t.Cleanup(func() { s.Close() })
	must(t, s.FlushDB(t.Context()).Err())
	return s
}

// newMiniStore is for tests that stop their Redis or run beside others.
func newMiniStore(t *testing.T) *store {
	t.Helper()
	mini := miniredis.RunT(t)
	s := &store{Client: redis.NewClient(&redis.Options{Addr: mini.Addr()}), mini: mini, url: "redis://" + mini.Addr() + "/0"}
	t.Cleanup(func() { s.Close() })
	return s
}

// config is the program's configuration for this Redis, or for what stands at
// url; more are pairs of variable and value.
func (s *store) config(t *testing.T, more ...string) config {
	t.Helper()
	return configFor(t, s.url, more...)
}

func configFor(t *testing.T, url string, more ...string) config {
	t.Helper()
	vars := map[string]string{"IMPORTER_REDIS_URL": url, "IMPORTER_DATA_DIR": dataFolder(t)}
	for pair := range slices.Chunk(more, 2) {
		vars[pair[0]] = pair[1]
	}
	cfg, err := loadConfig(lookupIn(vars))
	must(t, err)
	return cfg
}

func lookupIn(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := vars[name]
		return value, ok
	}
}

const openingCatalogue = `[{"sku":"lamp","title":"Desk lamp","quantity":8},{"sku":"notebook","title":"Notebook","quantity":3}]`

// dataFolder holds the opening catalogue and the teaching shipment.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	shipment, err := os.ReadFile("testdata/csv/plain.csv")
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "shipment-a.csv"), shipment, 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "catalog.json"), []byte(openingCatalogue), 0o644))
	return dir
}

// dump is everything that the database holds, for comparing before and after.
// A pending entry's idle time is left out: it grows by itself.
func (s *store) dump(t *testing.T) map[string]any {
	t.Helper()
	ctx := t.Context()
	all := map[string]any{}
	keys, err := s.Keys(ctx, "*").Result()
	must(t, err)
	for _, key := range keys {
		kind := s.Type(ctx, key).Val()
		held := map[string]any{"type": kind, "expires": moment(s.PExpireTime(ctx, key).Val().Milliseconds())}
		switch kind {
		case "string":
			held["value"] = s.Get(ctx, key).Val()
		case "hash":
			held["value"] = s.HGetAll(ctx, key).Val()
		case "zset":
			held["value"] = s.ZRangeWithScores(ctx, key, 0, -1).Val()
		case "set":
			held["value"] = s.SMembersMap(ctx, key).Val()
		case "list":
			held["value"] = s.LRange(ctx, key, 0, -1).Val()
		case "stream":
			held["value"] = s.XRange(ctx, key, "-", "+").Val()
			for _, p := range s.pending(t) {
				held["pending "+p.ID] = []any{p.Consumer, p.RetryCount}
			}
			held["consumers"] = s.consumers(t)
		default:
			t.Fatalf("dump: key %q is a %s", key, kind)
		}
		all[key] = held
	}
	return all
}

// moment is a time in ms.
type moment int64

// changes compares two dumps. The in-process Redis keeps what is left of a
// lifetime and not its end, so there an end may seem to move a little.
func (s *store) changes(before, after map[string]any) string {
	return cmp.Diff(before, after, cmp.Comparer(func(a, b moment) bool {
		return a == b || s.mini != nil && a > 0 && b > 0 && max(a-b, b-a) < 2000
	}))
}

func (s *store) pending(t *testing.T) []redis.XPendingExt {
	t.Helper()
	list, err := s.XPendingExt(t.Context(), &redis.XPendingExtArgs{Stream: streamKey, Group: group, Start: "-", End: "+", Count: 1000}).Result()
	must(t, err)
	return list
}

// consumers are the names that are signed on; none if there is no group yet.
func (s *store) consumers(t *testing.T) []string {
	t.Helper()
	var names []string
	list, _ := s.XInfoConsumers(t.Context(), streamKey, group).Result()
	for _, consumer := range list {
		names = append(names, consumer.Name)
	}
	slices.Sort(names)
	return names
}

// pass lets time go by for all that is stored, without waiting: lifetimes, due
// times, ages of jobs and locks are moved into the past by d.
func (s *store) pass(t *testing.T, d time.Duration) {
	t.Helper()
	ctx, ms := t.Context(), d.Milliseconds()
	keys, err := s.Keys(ctx, "*").Result()
	must(t, err)
	for _, key := range keys {
		switch s.Type(ctx, key).Val() {
		case "zset":
			for _, member := range s.ZRange(ctx, key, 0, -1).Val() {
				must(t, s.ZIncrBy(ctx, key, float64(-ms), member).Err())
			}
		case "hash":
			if s.HExists(ctx, key, "enqueued").Val() {
				must(t, s.HIncrBy(ctx, key, "enqueued", -ms).Err())
			}
		case "stream":
			for _, p := range s.pending(t) {
				must(t, s.Do(ctx, "XCLAIM", key, group, p.Consumer, 0, p.ID,
					"IDLE", (p.Idle+d).Milliseconds(), "RETRYCOUNT", p.RetryCount, "JUSTID").Err())
			}
		}
		if at := s.PExpireTime(ctx, key).Val(); at > 0 {
			must(t, s.PExpireAt(ctx, key, time.UnixMilli(at.Milliseconds()-ms)).Err())
		}
	}
}

// stock is the quantity of each product, as the hash holds it.
func (s *store) stock(t *testing.T) map[string]int {
	t.Helper()
	quantities := map[string]int{}
	for sku, raw := range s.HGetAll(t.Context(), productsKey).Val() {
		var p product
		must(t, json.Unmarshal([]byte(raw), &p))
		if p.SKU != sku {
			t.Errorf("product %q is stored under %q", p.SKU, sku)
		}
		quantities[sku] = p.Quantity
	}
	return quantities
}

func (s *store) generation(t *testing.T) string {
	t.Helper()
	return s.Get(t.Context(), generationKey).Val()
}

// seed writes the opening catalogue: lamp 8, notebook 3.
func (s *store) seed(t *testing.T) {
	t.Helper()
	must(t, seed(t.Context(), s.config(t), &bytes.Buffer{}))
}

// client is a connection as the program makes it, to the Redis of the test.
func (s *store) client(t *testing.T) *redis.Client {
	t.Helper()
	if s.own == nil {
		s.own = connect(s.config(t), commandTimeout, 8)
		t.Cleanup(func() { s.own.Close(); s.own = nil })
	}
	return s.own
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eventually waits for something that other goroutines bring about.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for !happened() {
		if !pause(ctx, time.Millisecond) {
			t.Fatalf("did not happen: %s", what)
		}
	}
}

// logbook keeps the log of a program under test.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *logbook) logger() *slog.Logger { return newLogger(l) }

// lines reads the log back: every line must be one JSON object with an event.
func (l *logbook) lines(t *testing.T) []map[string]any {
	t.Helper()
	var lines []map[string]any
	for text := range strings.Lines(l.String()) {
		line := map[string]any{}
		if err := json.Unmarshal([]byte(text), &line); err != nil || line["event"] == nil {
			t.Fatalf("log line %q is not a JSON object with an event (%v)", text, err)
		}
		lines = append(lines, line)
	}
	return lines
}

func (l *logbook) events(t *testing.T) []string {
	t.Helper()
	var events []string
	for _, line := range l.lines(t) {
		events = append(events, line["event"].(string))
	}
	return events
}
