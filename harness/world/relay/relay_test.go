package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 30 * time.Second

func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func listen(t *testing.T, target string) *Relay {
	t.Helper()
	r, err := Listen(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// seen is a request as the server got it.
type seen struct {
	Method, URI, Body string
	Header            http.Header
}

// stage answers every request with 202 and passes on what it saw.
func stage(t *testing.T) (url string, requests chan seen) {
	t.Helper()
	requests = make(chan seen, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		requests <- seen{req.Method, req.RequestURI, string(body), req.Header}
		w.Header().Set("Location", "/api/imports/shipment-1")
		w.WriteHeader(http.StatusAccepted)
		io.WriteString(w, `{"jobId":"shipment-1"}`)
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

func newClient(t *testing.T) *http.Client {
	t.Helper()
	tr := &http.Transport{DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: patience}
}

func post(t *testing.T, c *http.Client, base string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequest("POST", base+"/api/imports?x=%2F", strings.NewReader(`{"batchId":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "X-Forwarded-For": {"203.0.113.9"}, "User-Agent": {"shop"}}
	resp, err := c.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

func isPost(req *http.Request) bool { return req.Method == "POST" }

// Whatever becomes of the answer, the server sees the request as it was sent.
func TestServerSeesTheRequestAsItWasSent(t *testing.T) {
	url, requests := stage(t)
	want := seen{"POST", "/api/imports?x=%2F", `{"batchId":"a"}`, http.Header{
		"Content-Type": {"application/json"}, "Content-Length": {"15"},
		"X-Forwarded-For": {"203.0.113.9"}, "User-Agent": {"shop"},
	}}
	for name, arm := range map[string]func(*Relay){
		"plain":   func(*Relay) {},
		"lost":    func(r *Relay) { r.LoseNext(isPost) },
		"hung up": func(r *Relay) { r.HangUpNext(isPost) },
	} {
		t.Run(name, func(t *testing.T) {
			r := listen(t, url)
			arm(r)
			post(t, newClient(t), r.URL())
			got := <-requests
			got.Header.Del("Connection") // the relay's own: one connection a request
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPassesThrough(t *testing.T) {
	url, _ := stage(t)
	status, body, err := post(t, newClient(t), listen(t, url).URL())
	if err != nil || status != 202 || body != `{"jobId":"shipment-1"}` {
		t.Errorf("got %d %q %v", status, body, err)
	}
}

func TestServerThatIsNotThereGivesNoAnswer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	r := listen(t, "http://"+l.Addr().String())
	if status, _, err := post(t, newClient(t), r.URL()); err == nil {
		t.Errorf("the relay invented a %d", status)
	}
	loss := r.LoseNext(isPost)
	post(t, newClient(t), r.URL())
	if _, err := loss.Await(bounded(t)); err == nil || errors.Is(err, ErrNoMatch) {
		t.Errorf("got %v", err)
	}
}

func TestListenRefusesATarget(t *testing.T) {
	for _, target := range []string{"", "127.0.0.1:80", "https://127.0.0.1:80", "http://127.0.0.1", "http://127.0.0.1:80/api", "http://a b"} {
		if r, err := Listen(t.Context(), target); err == nil {
			r.Close()
			t.Errorf("%q was taken", target)
		}
	}
}

// rawAnswer sends a request by hand and returns all that comes until the close.
func rawAnswer(t *testing.T, r *Relay, request string) []byte {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	io.WriteString(conn, request)
	var got bytes.Buffer
	if _, err := io.Copy(&got, conn); errors.Is(err, context.DeadlineExceeded) {
		t.Fatal("the connection stays open")
	}
	return got.Bytes()
}
