package main

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// newProducer is put together as serve does it.
func newProducer(t *testing.T, cfg config, log *logbook) producer {
	t.Helper()
	rdb := connect(cfg, answerWithin, producerConnections)
	t.Cleanup(func() { rdb.Close() })
	return producer{
		queue:   queue{rdb},
		limiter: limiter{rdb: rdb, limit: cfg.rateLimit, window: cfg.rateWindow},
		shop:    &shop{rdb: rdb},
		log:     log.logger(),
	}
}

func (s *store) producer(t *testing.T, more ...string) http.Handler {
	t.Helper()
	return newProducer(t, s.config(t, more...), &logbook{}).routes()
}

// answer is what a client gets.
type answer struct {
	status int
	header http.Header
	body   map[string]any
}

func ask(t *testing.T, h http.Handler, method, path, body string, header ...string) answer {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return asked(t, h, r)
}

func asked(t *testing.T, h http.Handler, r *http.Request) answer {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := answer{status: w.Code, header: w.Header()}
	if r.Method != http.MethodHead {
		if err := json.Unmarshal(w.Body.Bytes(), &a.body); err != nil {
			t.Fatalf("%s %s: %d with body %q: %v", r.Method, r.URL, w.Code, w.Body, err)
		}
	}
	kind := "application/json"
	if w.Code >= 400 {
		kind = "application/problem+json"
	}
	if got := w.Header().Get("Content-Type"); got != kind {
		t.Errorf("%s %s: %d with Content-Type %q, want %q", r.Method, r.URL, w.Code, got, kind)
	}
	return a
}

// wantProblem wants a problem of RFC 9457 with all of its parts.
func (a answer) wantProblem(t *testing.T, status int, code string) {
	t.Helper()
	want := map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": float64(status), "code": code}
	detail, _ := a.body["detail"].(string)
	got := map[string]any{}
	for key, value := range a.body {
		if key != "detail" {
			got[key] = value
		}
	}
	if a.status != status || detail == "" || !cmp.Equal(want, got) {
		t.Errorf("answer %d %v, want %d %s with a detail", a.status, a.body, status, code)
	}
}

// withoutCounters is a dump without the rate counters, which refused requests
// raise as well.
func withoutCounters(dump map[string]any) map[string]any {
	for key := range dump {
		if strings.HasPrefix(key, keyPrefix+"limit:") {
			delete(dump, key)
		}
	}
	return dump
}

const importA = `{"dataset":"shipment-a","batchId":"a1"}`

// Every body of the table gets its answer, and a refused one stores nothing.
func TestPostImportBodies(t *testing.T) {
	type test struct {
		name, body, contentType, code, jobID string
		status                               int
	}
	tests := []test{
		{"4096 bytes", importA + strings.Repeat(" ", maxBody-len(importA)), "application/json", "", jobA, 202},
		{"4097 bytes", importA + strings.Repeat(" ", maxBody+1-len(importA)), "application/json", "body_too_large", "", 413},
		{"4097 bytes that are no JSON", strings.Repeat("x", maxBody+1), "application/json", "body_too_large", "", 413},
		{"charset", importA, "application/json; charset=UTF-8", "", jobA, 202},
		{"media type in capitals", importA, "Application/JSON", "", jobA, 202},
		{"another charset", importA, "application/json; charset=utf-16", "unsupported_media_type", "", 415},
		{"no media type", importA, "", "unsupported_media_type", "", 415},
		{"a form", importA, "application/x-www-form-urlencoded", "unsupported_media_type", "", 415},
		{"nearly", importA, "application/json5", "unsupported_media_type", "", 415},
		{"a problem", importA, "application/problem+json", "unsupported_media_type", "", 415},
		{"a broken media type", importA, "application/json; charset", "unsupported_media_type", "", 415},
	}
	for _, c := range bodyCases(t) {
		kind := c.ContentType
		if kind == "" {
			kind = "application/json"
		}
		tests = append(tests, test{c.Name, c.Body, kind, c.Code, c.JobID, c.Status})
	}
	for _, k := range requestKinds {
		if len(k.body) > maxBody {
			continue
		}
		status := 202
		if k.code != "" {
			status = 400
		}
		tests = append(tests, test{k.name, k.body, "application/json", k.code, "", status})
	}
	s := newStore(t)
	h := s.producer(t, "IMPORTER_RATE_LIMIT", "1000000")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			must(t, s.FlushDB(t.Context()).Err())
			before := withoutCounters(s.dump(t))
			a := ask(t, h, "POST", "/api/imports", tt.body, "Content-Type", tt.contentType)
			if tt.status == 202 {
				id, _ := a.body["jobId"].(string)
				if a.status != 202 || len(a.body) != 1 || tt.jobID != "" && id != tt.jobID || a.header.Get("Location") != "/api/imports/"+id {
					t.Errorf("answer %d %v, Location %q", a.status, a.body, a.header.Get("Location"))
				}
				if got := s.job(t, id); got.State != stateWaiting {
					t.Errorf("stored: %+v", got)
				}
				return
			}
			a.wantProblem(t, tt.status, tt.code)
			if diff := s.changes(before, withoutCounters(s.dump(t))); diff != "" {
				t.Errorf("a refused request stored something (-before +after)\n%s", diff)
			}
		})
	}
}

// The same answer for a repeat, one job, and what is stored is what the worker
// reads.
func TestPostImportRepeated(t *testing.T) {
	s := newStore(t)
	h := s.producer(t)
	first := ask(t, h, "POST", "/api/imports", importA)
	held := withoutCounters(s.dump(t))
	second := ask(t, h, "POST", "/api/imports", ` {"batchId":"a1", "dataset":"shipment-a"}`)
	if diff := cmp.Diff(first, second, cmp.AllowUnexported(answer{})); diff != "" || first.status != 202 {
		t.Errorf("answers %d (-first +second)\n%s", first.status, diff)
	}
	if diff := s.changes(held, withoutCounters(s.dump(t))); diff != "" {
		t.Errorf("a repeat stored something (-before +after)\n%s", diff)
	}
	if a := s.delivery(t, "w").take(t); a.name != jobName || a.data != dataA {
		t.Errorf("stored %q %q", a.name, a.data)
	}
}

// A job that failed and is kept must not be answered with 202: nothing would
// ever come of it. Once its record is gone the arrival may be posted again.
func TestPostImportOfAFailedJob(t *testing.T) {
	s := newStore(t)
	h := s.producer(t)
	ask(t, h, "POST", "/api/imports", importA)
	s.bring(t, jobA, stateFailed)
	before := withoutCounters(s.dump(t))
	a := ask(t, h, "POST", "/api/imports", importA)
	a.wantProblem(t, 409, "job_failed")
	if a.header.Get("Location") != "/api/imports/"+jobA {
		t.Errorf("Location %q", a.header.Get("Location"))
	}
	if diff := s.changes(before, withoutCounters(s.dump(t))); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
	if a := ask(t, h, "POST", "/api/imports/"+jobA+"/retry", ""); a.status != 202 || a.header.Get("Location") != "/api/imports/"+jobA {
		t.Errorf("put back: %d %v, Location %q", a.status, a.body, a.header.Get("Location"))
	}
	ask(t, h, "POST", "/api/imports/"+jobA+"/retry", "").wantProblem(t, 409, "job_not_failed")
	ask(t, h, "POST", "/api/imports/shipment-unknown/retry", "").wantProblem(t, 404, "not_found")

	s.bring(t, jobA, stateFailed)
	s.pass(t, time.Hour)
	if a := ask(t, h, "POST", "/api/imports", importA); a.status != 202 {
		t.Errorf("after the retention: %d %v", a.status, a.body)
	}
}

func TestGetImport(t *testing.T) {
	want := map[string]map[string]any{
		stateWaiting:   {"attempts": 0.0},
		stateActive:    {"attempts": 1.0},
		stateDelayed:   {"attempts": 1.0, "error": "later"},
		stateCompleted: {"attempts": 1.0, "result": map[string]any{"imported": 3.0, "batchId": "a1"}},
		stateFailed:    {"attempts": 1.0, "error": "bad_csv: x"},
	}
	for state, body := range want {
		s := newStore(t)
		h := s.producer(t)
		ask(t, h, "POST", "/api/imports", importA)
		s.bring(t, jobA, state)
		body["jobId"], body["state"] = jobA, state
		a := ask(t, h, "GET", "/api/imports/"+jobA, "")
		if diff := cmp.Diff(body, a.body); diff != "" || a.status != 200 {
			t.Errorf("%s: %d (-want +got)\n%s", state, a.status, diff)
		}
		counts := map[string]any{"waiting": 0.0, "active": 0.0, "delayed": 0.0, "completed": 0.0, "failed": 0.0}
		counts[state] = 1.0
		a = ask(t, h, "GET", "/api/imports", "")
		if diff := cmp.Diff(map[string]any{"counts": counts}, a.body); diff != "" || a.status != 200 {
			t.Errorf("%s: counts %d (-want +got)\n%s", state, a.status, diff)
		}
	}
}

func TestGetProducts(t *testing.T) {
	s := newStore(t)
	h := s.producer(t)
	lamp := func(n float64) any { return map[string]any{"sku": "lamp", "title": "Desk lamp", "quantity": n} }
	notebook := func(n float64) any {
		return map[string]any{"sku": "notebook", "title": "Notebook", "quantity": n}
	}
	pencil := func(n float64) any { return map[string]any{"sku": "pencil", "title": "Pencil", "quantity": n} }
	want := func(what, cache string, generation float64, products ...any) {
		t.Helper()
		a := ask(t, h, "GET", "/api/products", "")
		if a.status != 200 || a.header.Get("X-Cache") != cache {
			t.Errorf("%s: %d, X-Cache %q; want %q", what, a.status, a.header.Get("X-Cache"), cache)
		}
		if products == nil {
			products = []any{}
		}
		if diff := cmp.Diff(map[string]any{"generation": generation, "products": products}, a.body); diff != "" {
			t.Errorf("%s (-want +got)\n%s", what, diff)
		}
	}
	want("nothing", "miss", 0)
	s.seed(t)
	want("seeded", "miss", 0, lamp(8), notebook(3))
	want("seeded", "hit", 0, lamp(8), notebook(3))
	s.apply(t, "a1", shipmentA)
	want("applied", "miss", 1, lamp(20), notebook(8), pencil(4))
	want("applied", "hit", 1, lamp(20), notebook(8), pencil(4))
	s.apply(t, "a1", shipmentA)
	want("repeated", "hit", 1, lamp(20), notebook(8), pencil(4))
}

func TestRoutes(t *testing.T) {
	s := newStore(t)
	h := s.producer(t)
	ask(t, h, "POST", "/api/imports", importA)
	before := withoutCounters(s.dump(t))
	tests := []struct {
		method, path string
		status       int
		code, allow  string
	}{
		{"GET", "/healthz", 200, "", ""},
		{"HEAD", "/healthz", 200, "", ""},
		{"HEAD", "/api/imports", 200, "", ""},
		{"HEAD", "/api/imports/" + jobA, 200, "", ""},
		{"HEAD", "/api/imports/unknown", 404, "", ""},
		{"HEAD", "/api/products", 200, "", ""},
		{"GET", "/api/imports/shipment-unknown", 404, "not_found", ""},
		{"GET", "/api/imports/" + strings.Repeat("x", 5000), 404, "not_found", ""},
		{"GET", "/api/imports/*", 404, "not_found", ""},
		{"GET", "/api/imports/%00%ff", 404, "not_found", ""},
		{"GET", "/api/imports/..%2Fjobs", 404, "not_found", ""},
		{"GET", "/api/imports/", 404, "not_found", ""},
		{"GET", "/api/imports/a/b", 404, "not_found", ""},
		{"GET", "/", 404, "not_found", ""},
		{"GET", "/api", 404, "not_found", ""},
		{"GET", "/API/imports", 404, "not_found", ""},
		{"POST", "/api/import", 404, "not_found", ""},
		{"PUT", "/api/imports", 405, "method_not_allowed", "GET, HEAD, POST"},
		{"DELETE", "/api/imports", 405, "method_not_allowed", "GET, HEAD, POST"},
		{"DELETE", "/api/imports/" + jobA, 405, "method_not_allowed", "GET, HEAD"},
		{"POST", "/api/imports/" + jobA, 405, "method_not_allowed", "GET, HEAD"},
		{"GET", "/api/imports/" + jobA + "/retry", 405, "method_not_allowed", "POST"},
		{"POST", "/api/products", 405, "method_not_allowed", "GET, HEAD"},
		{"POST", "/healthz", 405, "method_not_allowed", "GET, HEAD"},
		{"OPTIONS", "/healthz", 405, "method_not_allowed", "GET, HEAD"},
	}
	for _, tt := range tests {
		name := tt.method + " " + tt.path
		a := ask(t, h, tt.method, tt.path, importA)
		if a.status != tt.status || a.header.Get("Allow") != tt.allow {
			t.Errorf("%.60s: %d, Allow %q; want %d, %q", name, a.status, a.header.Get("Allow"), tt.status, tt.allow)
		}
		if tt.code != "" {
			a.wantProblem(t, tt.status, tt.code)
		}
	}
	if diff := s.changes(before, withoutCounters(s.dump(t))); diff != "" {
		t.Errorf("something was stored (-before +after)\n%s", diff)
	}
}

// unread is a body that must not be looked at.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read before the limit was asked")
	return 0, io.EOF
}

// The limit comes before everything else in a POST, counts bad requests too,
// and is each client's own. Reading is not limited.
func TestRateLimit(t *testing.T) {
	s := newStore(t)
	h := s.producer(t, "IMPORTER_RATE_LIMIT", "2", "IMPORTER_RATE_WINDOW", "90s")
	ask(t, h, "POST", "/api/imports", "not json").wantProblem(t, 400, "invalid_json")
	ask(t, h, "POST", "/api/imports", importA, "Content-Type", "text/plain").wantProblem(t, 415, "unsupported_media_type")
	before := s.dump(t)
	r := httptest.NewRequest("POST", "/api/imports", unread{t})
	a := asked(t, h, r)
	a.wantProblem(t, 429, "rate_limited")
	if after, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || after < 80 || after > 90 {
		t.Errorf("Retry-After %q, want whole seconds up to 90", a.header.Get("Retry-After"))
	}
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("a limited request wrote something (-before +after)\n%s", diff)
	}
	for _, path := range []string{"/api/imports", "/api/products", "/healthz", "/api/imports"} {
		if a := ask(t, h, "GET", path, ""); a.status != 200 {
			t.Errorf("GET %s: %d", path, a.status)
		}
	}
	other := httptest.NewRequest("POST", "/api/imports", strings.NewReader(importA))
	other.Header.Set("Content-Type", "application/json")
	other.RemoteAddr = "[2001:db8::1]:4711"
	if a := asked(t, h, other); a.status != 202 {
		t.Errorf("another client: %d %v", a.status, a.body)
	}
	s.pass(t, 90*time.Second)
	if a := ask(t, h, "POST", "/api/imports", importA); a.status != 202 {
		t.Errorf("next window: %d %v", a.status, a.body)
	}
}

// A damaged counter is not the client's fault, and not a free pass.
func TestDamagedRateCounter(t *testing.T) {
	s := newStore(t)
	h := s.producer(t)
	must(t, s.Set(t.Context(), counter, "1", 0).Err()) // httptest's client has this address
	before := s.dump(t)
	ask(t, h, "POST", "/api/imports", importA).wantProblem(t, 503, "redis_unavailable")
	if diff := s.changes(before, s.dump(t)); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

// brokenBody ends before its end.
type brokenBody struct{ sent bool }

func (b *brokenBody) Read(p []byte) (int, error) {
	if b.sent {
		return 0, errors.New("connection reset")
	}
	b.sent = true
	return copy(p, importA[:10]), nil
}

func TestBodyThatBreaksOff(t *testing.T) {
	s := newStore(t)
	r := httptest.NewRequest("POST", "/api/imports", &brokenBody{})
	r.Header.Set("Content-Type", "application/json")
	asked(t, s.producer(t), r).wantProblem(t, 400, "invalid_json")
	if keys := withoutCounters(s.dump(t)); len(keys) != 0 {
		t.Errorf("stored: %v", keys)
	}
}

// A client that sends too slowly is told so; Redis is not blamed for it.
func TestBodyThatComesTooSlowly(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	var log logbook
	p := newProducer(t, s.config(t), &log)
	server := httptest.NewServer(p.routes())
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	must(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /api/imports HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "+
		strconv.Itoa(len(importA))+"\r\n\r\n"+importA[:10])
	must(t, err)
	timer := time.NewTimer(answerWithin + 100*time.Millisecond) // being late is what is tested here
	<-timer.C
	_, err = io.WriteString(conn, importA[10:])
	must(t, err)
	text, err := io.ReadAll(conn)
	must(t, err)
	if !strings.HasPrefix(string(text), "HTTP/1.1 408 ") || !strings.Contains(string(text), `"code":"request_timeout"`) {
		t.Errorf("answer %s", text)
	}
	if keys := withoutCounters(s.dump(t)); len(keys) != 0 || log.String() != "" {
		t.Errorf("stored %v, logged %q; want nothing", keys, log.String())
	}
}

var everyRoute = []struct{ method, path string }{
	{"POST", "/api/imports"},
	{"GET", "/api/imports"},
	{"GET", "/api/imports/" + jobA},
	{"GET", "/api/products"},
	{"GET", "/healthz"},
}

// Whatever Redis does, every route answers 503 within 2 s.
func TestRedisTrouble(t *testing.T) {
	t.Parallel()
	answers := func(text string) func(*testing.T) string {
		return func(t *testing.T) string { return fakeRedis(t, text) }
	}
	troubles := map[string]func(*testing.T) string{
		"nobody listens":            noRedis,
		"accepts and never answers": silentRedis,
		"loading":                   answers("-LOADING Redis is loading the dataset in memory"),
		"read-only":                 answers("-READONLY You can't write against a read only replica."),
		"out of memory":             answers("-OOM command not allowed when used memory > 'maxmemory'."),
		"busy":                      answers("-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."),
		"misconf":                   answers("-MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk."),
		"no password":               answers("-NOAUTH Authentication required."),
		"master down":               answers("-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."),
		"many clients":              answers("-ERR max number of clients reached"),
		"no script":                 answers("-NOSCRIPT No matching script."),
		"not Redis":                 answers("HTTP/1.1 400 Bad Request"),
		"a number":                  answers(":1"),
		"a promise of more":         answers("*1000"),
	}
	for name, trouble := range troubles {
		for _, route := range everyRoute {
			t.Run(name+" "+route.method+" "+route.path, func(t *testing.T) {
				t.Parallel()
				var log logbook
				h := newProducer(t, configFor(t, "redis://user:hunter2@"+trouble(t)+"/3"), &log).routes()
				began := time.Now()
				a := ask(t, h, route.method, route.path, importA)
				if took := time.Since(began); took >= 2*time.Second {
					t.Errorf("the answer took %v, want less than 2s", took)
				}
				a.wantProblem(t, 503, "redis_unavailable")
				if events := log.events(t); !cmp.Equal(events, []string{"redis_unavailable"}) {
					t.Errorf("log %v", events)
				}
				if strings.Contains(log.String(), "hunter2") {
					t.Errorf("the log shows the password: %s", log.String())
				}
			})
		}
	}
}

// Each single answer comes in time, and all of them together would not.
func TestRedisIsSlow(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t) // it knows no script yet, so that there are many commands
	r := newRelay(t, s, func([]string) fault {
		pause(t.Context(), 450*time.Millisecond) // being slow is what is tested here
		return pass
	})
	h := newProducer(t, configFor(t, r.url), &logbook{}).routes()
	began := time.Now()
	ask(t, h, "POST", "/api/imports", importA).wantProblem(t, 503, "redis_unavailable")
	if took := time.Since(began); took >= 2*time.Second {
		t.Errorf("the answer took %v, want less than 2s", took)
	}
}

// Redis goes silent after the limit has been asked: still within 2 s, and the
// repeat with the same batch id finds the job that was stored.
func TestReplyOfEnqueueIsLost(t *testing.T) {
	t.Parallel()
	for name, what := range map[string]fault{"silence": swallowReply, "connection breaks": dropReply} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newMiniStore(t)
			s.load(t, enqueueScript)
			r := newRelay(t, s, once(enqueueScript, what))
			var log logbook
			h := newProducer(t, configFor(t, r.url), &log).routes()
			began := time.Now()
			ask(t, h, "POST", "/api/imports", importA).wantProblem(t, 503, "redis_unavailable")
			if took := time.Since(began); took >= 2*time.Second {
				t.Errorf("the answer took %v, want less than 2s", took)
			}
			if sha, source := r.calls(enqueueScript); sha+source != 1 {
				t.Errorf("%d calls, want 1: nobody asked for a repeat", sha+source)
			}
			if a := ask(t, h, "POST", "/api/imports", importA); a.status != 202 {
				t.Errorf("repeat: %d %v", a.status, a.body)
			}
			if diff := cmp.Diff([]string{"redis_unavailable", "job_known"}, log.events(t)); diff != "" {
				t.Errorf("log (-want +got)\n%s", diff)
			}
			if n := s.XLen(t.Context(), streamKey).Val(); n != 1 {
				t.Errorf("%d entries, want 1", n)
			}
		})
	}
}

// The same producer is well again as soon as Redis is.
func TestRedisComesBack(t *testing.T) {
	s := newMiniStore(t)
	h := s.producer(t)
	wantWell := func(what string) {
		t.Helper()
		for _, route := range everyRoute {
			want := http.StatusOK
			if route.method == "POST" {
				want = http.StatusAccepted
			}
			if a := ask(t, h, route.method, route.path, importA); a.status != want {
				t.Errorf("%s: %s %s: %d %v, want %d", what, route.method, route.path, a.status, a.body, want)
			}
		}
	}
	wantWell("before")
	s.mini.Close()
	for _, route := range everyRoute {
		ask(t, h, route.method, route.path, importA).wantProblem(t, 503, "redis_unavailable")
	}
	must(t, s.mini.Restart())
	wantWell("after")
}

// The same after a silence in which connections were given up in the middle of
// a command: no late reply is taken for the answer to another question.
func TestRedisSpeaksAgain(t *testing.T) {
	t.Parallel()
	s := newMiniStore(t)
	s.seed(t)
	var silent atomic.Bool
	r := newRelay(t, s, func([]string) fault {
		if silent.Load() {
			return swallowReply
		}
		return pass
	})
	h := newProducer(t, configFor(t, r.url), &logbook{}).routes()
	for range 2 {
		if a := ask(t, h, "POST", "/api/imports", importA); a.status != 202 || a.body["jobId"] != jobA {
			t.Errorf("%d %v", a.status, a.body)
		}
		if a := ask(t, h, "GET", "/api/products", ""); a.status != 200 || len(a.body["products"].([]any)) != 2 {
			t.Errorf("%d %v", a.status, a.body)
		}
		silent.Store(true)
		ask(t, h, "GET", "/healthz", "").wantProblem(t, 503, "redis_unavailable")
		silent.Store(false)
	}
}
