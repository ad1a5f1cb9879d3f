package ledger_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/ledger"
)

// tokens stand for whatever makes sure of who asks.
var tokens = map[string]string{"Bearer a": "ann", "Bearer b": "bob"}

func principal(r *http.Request) (string, bool) {
	name, known := tokens[r.Header.Get("Authorization")]
	return name, known
}

const lamps = `{"sku":"lamp","quantity":2}`

// answer is all that a client sees.
type answer struct {
	Status     int
	Type, Body string
	RetryAfter string
}

func ask(t testing.TB, h http.Handler, method, path, token, key, body string) answer {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	if token != "" {
		request.Header.Set("Authorization", token)
	}
	if key != "" {
		request.Header.Set(ledger.KeyHeader, key)
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return answer{
		Status: recorder.Code, Body: recorder.Body.String(),
		Type: recorder.Header().Get("Content-Type"), RetryAfter: recorder.Header().Get("Retry-After"),
	}
}

func TestHTTPContract(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		h := ledger.Handler(l, principal)
		post := func(token, key, body string) answer { return ask(t, h, "POST", "/orders", token, key, body) }

		first := post("Bearer a", "k1", lamps)
		if diff := cmp.Diff(answer{Status: 201, Type: "application/json", Body: `{"order":1,"left":8}` + "\n"}, first); diff != "" {
			t.Errorf("first (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(first, post("Bearer a", "k1", `{"quantity":2, "sku":"lamp"}`)); diff != "" {
			t.Errorf("repeat (-want +got):\n%s", diff)
		}
		for name, c := range map[string]struct {
			got    answer
			status int
			code   string
		}{
			"other input":     {post("Bearer a", "k1", `{"sku":"lamp","quantity":3}`), 422, "other_input"},
			"no key":          {post("Bearer a", "", lamps), 400, "bad_request"},
			"long key":        {post("Bearer a", strings.Repeat("k", 201), lamps), 400, "bad_request"},
			"no JSON":         {post("Bearer a", "k2", "{"), 400, "bad_request"},
			"no order":        {post("Bearer a", "k2", "{}"), 400, "bad_request"},
			"large":           {post("Bearer a", "k2", strings.Repeat(" ", 4097)), 413, "body_too_large"},
			"too many":        {post("Bearer a", "k2", `{"sku":"lamp","quantity":9}`), 422, "not_enough_stock"},
			"nobody":          {post("", "k2", lamps), 401, "not_authenticated"},
			"unknown token":   {post("Bearer c", "k1", lamps), 401, "not_authenticated"},
			"nobody's result": {ask(t, h, "GET", "/orders/by-key/k1", "", "", ""), 401, "not_authenticated"},
		} {
			if c.got.Status != c.status || c.got.Type != "application/problem+json" || !strings.Contains(c.got.Body, `"code":"`+c.code+`"`) {
				t.Errorf("%s: got %+v, want %d %s", name, c.got, c.status, c.code)
			}
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, l)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestHTTPSaysNothingAboutOthers(t *testing.T) {
	l := stocked(t, sqliteFile(t), long)
	h := ledger.Handler(l, principal)
	ask(t, h, "POST", "/orders", "Bearer a", "k1", lamps)
	own := ask(t, h, "GET", "/orders/by-key/k1", "Bearer a", "", "")
	if own.Status != 200 || own.Body != `{"order":1,"left":8}`+"\n" {
		t.Errorf("her own: %+v", own)
	}
	others := ask(t, h, "GET", "/orders/by-key/k1", "Bearer b", "", "")
	unused := ask(t, h, "GET", "/orders/by-key/never-used", "Bearer b", "", "")
	if others.Status != 404 {
		t.Errorf("somebody else's key: %+v", others)
	}
	if diff := cmp.Diff(unused, others); diff != "" {
		t.Errorf("somebody else's key differs from an unused one (-unused +others):\n%s", diff)
	}
}

func TestHTTPInProgress(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		hasty := ledger.Handler(connect(t, where, 20*time.Millisecond), principal)
		end := held(t, l, request("k1"), nil)
		busy := ask(t, hasty, "POST", "/orders", "Bearer a", "k1", lamps)
		if busy.Status != 409 || busy.RetryAfter == "" || !strings.Contains(busy.Body, `"code":"in_progress"`) {
			t.Errorf("got %+v, want 409 in_progress with Retry-After", busy)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if after := ask(t, hasty, "POST", "/orders", "Bearer a", "k1", lamps); after.Status != 201 {
			t.Errorf("after it had ended: %+v", after)
		}
	})
}

func TestHTTPDatabaseGone(t *testing.T) {
	l, err := ledger.Open(t.Context(), sqliteFile(t), long)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	gone := ask(t, ledger.Handler(l, principal), "POST", "/orders", "Bearer a", "k1", lamps)
	if gone.Status != 503 || gone.RetryAfter == "" || strings.Contains(gone.Body, "sql") {
		t.Errorf("got %+v, want 503 that tells nothing of the database's own words", gone)
	}
}

// A header with a key is worth nothing where the server takes no notice of it.
func TestHeaderWithoutContract(t *testing.T) {
	l := stocked(t, sqliteFile(t), long)
	careless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		input, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		tx, err := l.DB().BeginTx(r.Context(), nil)
		if err != nil {
			t.Error(err)
			return
		}
		result, err := ledger.PlaceOrder(r.Context(), tx, ledger.Request{Principal: "ann", Input: input})
		if err = errors.Join(err, tx.Commit()); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write(result)
	})
	for range 2 {
		ask(t, careless, "POST", "/orders", "Bearer a", "k1", lamps)
	}
	if n := count(t, l); n.Orders != 2 {
		t.Errorf("%d orders, want 2: nobody has looked at the key", n.Orders)
	}
}

// fate is what becomes of a request on its way.
type fate int

const (
	notArrived fate = iota // the server never sees it
	stopped                // the server stops before it has written
	answerLost             // the server has done it all
	onItsWay               // the server sees it after what is sent later
	allGoesWell
)

var errNoAnswer = errors.New("no answer")

// network carries requests to a server, or not, or does not bring the answer back.
type network struct {
	server http.Handler
	fate   fate
	late   []string // keys of the orders that are still on their way
}

// order sends an order and returns the status of the answer, if there is one.
func (n *network) order(ctx context.Context, key string) (int, error) {
	switch n.fate {
	case notArrived:
		return 0, errNoAnswer
	case onItsWay:
		n.late = append(n.late, key)
		return 0, errNoAnswer
	}
	if n.fate == stopped {
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		ctx = cancelled
	}
	request := httptest.NewRequestWithContext(ctx, "POST", "/orders", strings.NewReader(lamps))
	request.Header.Set("Authorization", "Bearer a")
	request.Header.Set(ledger.KeyHeader, key)
	recorder := httptest.NewRecorder()
	n.server.ServeHTTP(recorder, request)
	if n.fate != allGoesWell {
		return 0, errNoAnswer
	}
	return recorder.Code, nil
}

// arrive lets what is still on its way reach the server, and returns the last status that it answers with.
func (n *network) arrive(ctx context.Context) (status int, err error) {
	late := n.late
	n.fate, n.late = allGoesWell, nil
	for _, key := range late {
		if status, err = n.order(ctx, key); err != nil {
			return 0, err
		}
	}
	return status, nil
}

func TestLostAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		fate                    fate
		orders, sameKey, newKey int // after the first attempt, after each kind of repeat
	}{
		"the request did not arrive":      {notArrived, 0, 1, 1},
		"the server stopped before it":    {stopped, 0, 1, 1},
		"it was done, the answer is lost": {answerLost, 1, 1, 2},
		"it is still on its way":          {onItsWay, 0, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			for key, want := range map[string]int{"k1": c.sameKey, "k2": c.newKey} {
				l := stocked(t, sqliteFile(t), long)
				n := network{server: ledger.Handler(l, principal), fate: c.fate}
				if _, err := n.order(t.Context(), "k1"); !errors.Is(err, errNoAnswer) {
					t.Errorf("the client was told: %v", err)
				}
				if got := count(t, l).Orders; got != c.orders {
					t.Errorf("after the first attempt: %d orders, want %d", got, c.orders)
				}
				n.fate = allGoesWell
				if status, err := n.order(t.Context(), key); err != nil || status != 201 {
					t.Errorf("the repeat: %d, %v", status, err)
				}
				if _, err := n.arrive(t.Context()); err != nil {
					t.Errorf("the first attempt, late: %v", err)
				}
				if got := count(t, l).Orders; got != want {
					t.Errorf("after a repeat with %s: %d orders, want %d", key, got, want)
				}
			}
		})
	}
}
