package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// maxBackoff is the longest pause between two attempts, however often a job failed.
const maxBackoff = time.Minute

// errConfig marks a setting that cannot be used: exit 2.
var errConfig = errors.New("bad setting")

// config is the whole configuration. There is no other source of settings.
type config struct {
	redis        *redis.Options // address, credentials, database; timeouts are set by who connects
	httpAddr     string         // host:port, port 0 picks a free one
	dataDir      string         // holds catalog.json and shipment-a.csv
	rateLimit    int            // requests of one client per window
	rateWindow   time.Duration
	lockDuration time.Duration // a job not renewed for this long may be taken over
	pollInterval time.Duration // longest wait before due retries and stalled jobs are looked at
	retention    time.Duration // how long a finished job's record is kept; 0 removes it at once
	attempts     int           // tries of one job
	backoff      time.Duration // first pause; doubles with each try
	deadline     time.Duration // overall bound of one job, counted from its enqueue
	concurrency  int           // jobs in hand at once
}

// loadConfig reads the settings through lookup (os.LookupEnv outside tests).
// A variable that is set to something unusable is an error that names the
// variable, the value and what is allowed; a default never hides a mistake.
func loadConfig(lookup func(string) (string, bool)) (config, error) {
	e := env{lookup: lookup}
	cfg := config{
		redis:        e.redisURL("IMPORTER_REDIS_URL", "redis://127.0.0.1:6379/0"),
		httpAddr:     e.hostPort("IMPORTER_HTTP_ADDR", "127.0.0.1:8080"),
		dataDir:      e.dataDir("IMPORTER_DATA_DIR"),
		rateLimit:    e.number("IMPORTER_RATE_LIMIT", 60, 1, 1_000_000),
		rateWindow:   e.duration("IMPORTER_RATE_WINDOW", time.Minute, time.Millisecond, 24*time.Hour),
		lockDuration: e.duration("IMPORTER_LOCK_DURATION", 30*time.Second, 10*time.Millisecond, time.Hour),
		pollInterval: e.duration("IMPORTER_POLL_INTERVAL", time.Second, time.Millisecond, time.Hour),
		retention:    e.duration("IMPORTER_RETENTION", time.Hour, 0, 365*24*time.Hour),
		attempts:     e.number("IMPORTER_ATTEMPTS", 5, 1, 100),
		backoff:      e.duration("IMPORTER_BACKOFF", time.Second, time.Millisecond, maxBackoff),
		deadline:     e.duration("IMPORTER_DEADLINE", 2*time.Minute, time.Millisecond, 24*time.Hour),
		concurrency:  e.number("IMPORTER_CONCURRENCY", 1, 1, 1000),
	}
	return cfg, e.err
}

// env keeps the first error, so that loadConfig can stay a table.
type env struct {
	lookup func(string) (string, bool)
	err    error
}

func (e *env) get(name, fallback string) string {
	if value, ok := e.lookup(name); ok {
		return value
	}
	return fallback
}

func (e *env) refuse(name, value, allowed string) {
	if e.err == nil {
		e.err = fmt.Errorf("%w: %s=%q: %s", errConfig, name, value, allowed)
	}
}

func (e *env) number(name string, fallback, least, most int) int {
	value := e.get(name, strconv.Itoa(fallback))
	n, err := strconv.Atoi(value)
	if err != nil || !regexp.MustCompile(`^[0-9]+$`).MatchString(value) || n < least || n > most {
		e.refuse(name, value, fmt.Sprintf("allowed is a whole number from %d to %d", least, most))
	}
	return n
}

// duration takes whole milliseconds only: that is the finest time Redis keeps,
// and a setting that would be rounded to nothing must not pass as 0.
func (e *env) duration(name string, fallback, least, most time.Duration) time.Duration {
	value := e.get(name, fallback.String())
	d, err := time.ParseDuration(value)
	if err != nil || d < least || d > most || d%time.Millisecond != 0 {
		e.refuse(name, value, fmt.Sprintf("allowed is a duration in whole milliseconds from %v to %v, such as 250ms or 30s", least, most))
	}
	return d
}

func (e *env) redisURL(name, fallback string) *redis.Options {
	const hidden = "(not shown: it may hold a password)"
	const allowed = "allowed is redis://[user:password@]host:port/database or rediss:// for TLS"
	value := e.get(name, fallback)
	u, err := url.Parse(value)
	if err != nil {
		// The text cannot be taken apart, so a password in it cannot be hidden.
		e.refuse(name, hidden, allowed)
		return nil
	}
	opts, err := redis.ParseURL(value)
	if err != nil || u.RawQuery != "" || u.Fragment != "" || (u.Scheme != "redis" && u.Scheme != "rediss") ||
		u.Hostname() == "" || (u.Port() != "" && !validHostPort(u.Host)) || opts.DB < 0 {
		shown := value
		if u.User != nil {
			shown = u.Redacted()
		}
		if u.Opaque != "" || u.RawQuery != "" || u.Fragment != "" || strings.Contains(u.Path, "@") {
			shown = hidden // it may hold a password in a place where Redacted does not look
		}
		e.refuse(name, shown, allowed)
		return nil
	}
	if opts.TLSConfig != nil {
		opts.TLSConfig.MinVersion = tls.VersionTLS12
	}
	return opts
}

func (e *env) hostPort(name, fallback string) string {
	value := e.get(name, fallback)
	if !validHostPort(value) {
		e.refuse(name, value, "allowed is host:port with a port from 0 to 65535")
	}
	return value
}

func validHostPort(address string) bool {
	_, port, err := net.SplitHostPort(address)
	n, convErr := strconv.ParseUint(port, 10, 16)
	return err == nil && convErr == nil && strconv.FormatUint(n, 10) == port
}

// dataDir takes the folder that is named, or looks for ../../data as seen from
// the stage: from the working folder first, then from where the program lies.
func (e *env) dataDir(name string) string {
	const allowed = "allowed is a folder that holds catalog.json and shipment-a.csv"
	if value, ok := e.lookup(name); ok {
		if !holdsData(value) {
			e.refuse(name, value, allowed)
		}
		return value
	}
	starts := []string{"."}
	if program, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(program))
	}
	for _, start := range starts {
		if dir := filepath.Join(start, "..", "..", "data"); holdsData(dir) {
			return dir
		}
	}
	e.refuse(name, "", allowed+" (it is not set, and ../../data is not there)")
	return ""
}

func holdsData(dir string) bool {
	for _, name := range []string{"catalog.json", "shipment-a.csv"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.IsDir() {
			return false
		}
	}
	return dir != ""
}
