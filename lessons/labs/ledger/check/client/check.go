// Package client is the check of the exercise of this name.
package client

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/importer/lessons/labs/internal/exercise"
	"example.com/importer/lessons/labs/ledger"
)

// Place is what the learner writes: it sends an order until it knows how that went.
type Place func(newKey func() string, send func(key string) (status int, err error)) (status int, err error)

// outcome is what an attempt meets.
type outcome string

const (
	lostBefore outcome = "the request is lost"
	lostAfter  outcome = "the answer is lost"
	busy       outcome = "409 in progress"
	away       outcome = "503"
	refused    outcome = "422"
	arrives    outcome = "all goes well"
)

// Check checks a client against a server that keeps to the contract.
func Check(t *testing.T, place Place, attempts int) {
	t.Helper()
	for _, c := range []struct {
		meets  []outcome // one each; then all goes well
		status int       // 0 is an error
		sent   int
		orders int
	}{
		{nil, 201, 1, 1},
		{[]outcome{lostBefore}, 201, 2, 1},
		{[]outcome{lostAfter}, 201, 2, 1},
		{[]outcome{lostAfter, lostBefore, busy, away}, 201, 5, 1},
		{[]outcome{refused}, 422, 1, 0},
		{[]outcome{lostBefore, refused}, 422, 2, 0},
		{[]outcome{lostAfter, lostAfter, lostAfter, lostAfter, lostAfter, lostAfter}, 0, attempts, 1},
	} {
		w := &wire{t: t, server: newServer(t), meets: c.meets, most: 3 * attempts}
		status, err := place(w.newKey, w.send)
		w.judge(status, err, c.status, c.sent, c.orders)
	}
}

// wire carries orders to a server, and has its own ways.
type wire struct {
	t      *testing.T
	server *server
	meets  []outcome
	most   int
	made   int // keys
	sent   int
}

func (w *wire) newKey() string {
	w.made++
	return fmt.Sprintf("key-%d", w.made)
}

var errNoAnswer = errors.New("no answer")

func (w *wire) send(key string) (int, error) {
	w.sent++
	if w.sent > w.most {
		w.t.Fatal(exercise.Finding{
			Expected: "an end", Seen: fmt.Sprintf("%d attempts", w.sent), Because: "attempts are bounded, or a broken server is asked for ever",
			Hint: "count them", Lesson: clientLesson,
		})
	}
	meets := arrives
	if w.sent <= len(w.meets) {
		meets = w.meets[w.sent-1]
	}
	switch meets {
	case lostBefore:
		return 0, errNoAnswer
	case lostAfter:
		w.server.order(key)
		return 0, errNoAnswer
	case busy:
		return http.StatusConflict, nil
	case away:
		return http.StatusServiceUnavailable, nil
	case refused:
		return http.StatusUnprocessableEntity, nil
	}
	return w.server.order(key), nil
}

const clientLesson = "unknown-results.md#the-key"

func (w *wire) judge(status int, err error, wantStatus, wantSent, wantOrders int) {
	w.t.Helper()
	met := "all goes well"
	if len(w.meets) > 0 {
		met = fmt.Sprint("met ", w.meets)
	}
	orders := w.server.orders()
	if w.made != 1 {
		w.t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: keys 1, orders %d", met, wantOrders), Seen: fmt.Sprintf("keys %d, orders %d", w.made, orders),
			Because: "a new key is a new order: all attempts of one order carry the key that it was given first",
			Hint:    "when do you call newKey?", Lesson: clientLesson,
		})
	}
	if got := fmt.Sprint(status, err != nil); got != fmt.Sprint(wantStatus, wantStatus == 0) {
		w.t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: status %d, an error: %v", met, wantStatus, wantStatus == 0), Seen: fmt.Sprintf("status %d, error %v", status, err),
			Because: "without an answer, and after 409 and 503, the result is not known yet; any other answer says it",
			Hint:    "who gives up has to say so, and must not call it a result", Lesson: clientLesson,
		})
	}
	if w.sent != wantSent {
		w.t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: attempts %d", met, wantSent), Seen: fmt.Sprintf("attempts %d", w.sent),
			Because: "who knows the result stops asking, and who does not asks again, within bounds",
			Hint:    "which answers cannot become better by asking again?", Lesson: clientLesson,
		})
	}
	if orders != wantOrders {
		w.t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("%s: orders %d", met, wantOrders), Seen: fmt.Sprintf("orders %d", orders),
			Because: "one key is one order", Lesson: clientLesson,
		})
	}
}

// server is the real thing: the handler of the lab on a database of its own.
type server struct {
	t      *testing.T
	ledger *ledger.Ledger
	http.Handler
}

func newServer(t *testing.T) *server {
	t.Helper()
	l, err := ledger.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	if err := l.Stock(t.Context(), "lamp", 100); err != nil {
		t.Fatal(err)
	}
	return &server{t, l, ledger.Handler(l, func(*http.Request) (string, bool) { return "ann", true })}
}

func (s *server) order(key string) int {
	request := httptest.NewRequestWithContext(s.t.Context(), "POST", "/orders", strings.NewReader(`{"sku":"lamp","quantity":2}`))
	request.Header.Set(ledger.KeyHeader, key)
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, request)
	_, _ = io.Copy(io.Discard, recorder.Body)
	return recorder.Code
}

func (s *server) orders() int {
	var n int
	if err := s.ledger.DB().QueryRowContext(s.t.Context(), "SELECT count(*) FROM orders").Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}
