package relay

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLoseNext(t *testing.T) {
	url, requests := stage(t)
	r := listen(t, url)
	loss := r.LoseNext(isPost)
	c := newClient(t)

	// A request that does not match is not hit, and leaves the fault armed.
	if resp, err := c.Get(r.URL() + "/healthz"); err != nil {
		t.Error(err)
	} else {
		resp.Body.Close()
	}
	if status, _, err := post(t, c, r.URL()); err == nil {
		t.Errorf("the client got %d", status)
	}
	lost, err := loss.Await(bounded(t))
	want := Lost{"POST", "/api/imports", 202, []byte(`{"jobId":"shipment-1"}`)}
	if diff := cmp.Diff(want, lost); diff != "" || err != nil {
		t.Error(err, diff)
	}
	// The client's repeat goes through: one fault hits one request.
	if status, _, err := post(t, c, r.URL()); err != nil || status != 202 {
		t.Errorf("the repeat got %d, %v", status, err)
	}
	if got := len(requests); got != 3 {
		t.Errorf("the server saw %d requests, want 3", got)
	}
}

func TestClientGetsNotOneByte(t *testing.T) {
	url, _ := stage(t)
	r := listen(t, url)
	any := func(*http.Request) bool { return true }
	loss, hangUp := r.LoseNext(any), r.HangUpNext(any)
	request := "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"
	for range 2 {
		if got := rawAnswer(t, r, request); len(got) != 0 {
			t.Errorf("the client got %q", got)
		}
	}
	_, lossErr := loss.Await(bounded(t))
	_, hangUpErr := hangUp.Await(bounded(t))
	if lossErr != nil || hangUpErr != nil {
		t.Error(lossErr, hangUpErr)
	}
}

// The server has the whole request and sees that nobody waits for its answer.
func TestHangUpNext(t *testing.T) {
	left := make(chan string, 1)
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		<-req.Context().Done()
		left <- string(body)
	}))
	defer s.Close()
	r := listen(t, s.URL)
	hangUp := r.HangUpNext(isPost)
	if status, _, err := post(t, newClient(t), r.URL()); err == nil {
		t.Errorf("the client got %d", status)
	}
	got, err := hangUp.Await(bounded(t))
	if err != nil || got.Method != "POST" || got.Path != "/api/imports" || got.Sent < 100 {
		t.Errorf("got %+v, %v", got, err)
	}
	select {
	case body := <-left:
		if body != `{"batchId":"a"}` {
			t.Errorf("the server read %q", body)
		}
	case <-bounded(t).Done():
		t.Error("the server does not notice")
	}
}

// The client may leave first; the answer counts as lost only when it was given.
func TestLossDoesNotEndWithTheClient(t *testing.T) {
	asked, goOn := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		close(asked)
		<-goOn
		w.WriteHeader(http.StatusAccepted)
	}))
	defer s.Close()
	r := listen(t, s.URL)
	loss := r.LoseNext(isPost)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		req, _ := http.NewRequestWithContext(ctx, "POST", r.URL(), nil)
		_, err := newClient(t).Do(req)
		left <- err
	}()
	<-asked
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	if _, err := loss.Await(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNoMatch) {
		t.Errorf("while the server works: %v", err)
	}
	close(goOn)
	if lost, err := loss.Await(bounded(t)); err != nil || lost.Status != 202 {
		t.Errorf("got %+v, %v", lost, err)
	}
}

func TestHalfAnAnswerIsNotALostAnswer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, "half")
	}))
	defer s.Close()
	r := listen(t, s.URL)
	loss := r.LoseNext(isPost)
	post(t, newClient(t), r.URL())
	lost, err := loss.Await(bounded(t))
	if !errors.Is(err, io.ErrUnexpectedEOF) || string(lost.Body) != "half" {
		t.Errorf("got %+v, %v", lost, err)
	}
}

func TestFaultThatDoesNotFire(t *testing.T) {
	url, _ := stage(t)
	r := listen(t, url)
	loss := r.LoseNext(isPost)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := loss.Await(ended); !errors.Is(err, ErrNoMatch) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	r.Close()
	for name, l := range map[string]*Loss{"armed before": loss, "armed after": r.LoseNext(isPost)} {
		if _, err := l.Await(bounded(t)); !errors.Is(err, ErrClosed) {
			t.Errorf("%s the close: %v", name, err)
		}
	}
}

// Close does not wait for a server that never answers.
func TestCloseCutsWhatIsInFlight(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, answers nothing
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	r := listen(t, "http://"+l.Addr().String())
	loss := r.LoseNext(isPost)
	left := make(chan error)
	go func() {
		_, _, err := post(t, newClient(t), r.URL())
		left <- err
	}()
	<-loss.ev.matched
	r.Close()
	if err := <-left; err == nil {
		t.Error("the client got an answer")
	}
	if _, err := loss.Await(bounded(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// On a connection used before, net/http sends a GET again when no answer comes.
func TestNeverRepeatsByItself(t *testing.T) {
	var requests atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if requests.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
	}))
	defer s.Close()
	r := listen(t, s.URL)
	request := "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
	if got := rawAnswer(t, r, request); len(got) == 0 {
		t.Error("the first request got no answer")
	}
	if got := rawAnswer(t, r, request); len(got) != 0 {
		t.Errorf("the second request got %q", got)
	}
	if got := requests.Load(); got != 2 {
		t.Errorf("the server saw %d requests, want 2", got)
	}
}
