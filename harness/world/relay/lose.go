package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// ErrNoMatch means that time ran out and no request had come that the fault was
// meant for: the fault did not fire.
var ErrNoMatch = errors.New("no matching request came")

// Loss is an answer that will be lost, or has been.
type Loss struct{ ev *evidence[Lost] }

// Lost is the evidence: what the server had answered, in full, and the client
// never got a byte of.
type Lost struct {
	Method, Path string
	// Status and Body are the server's answer.
	Status int
	Body   []byte
}

// LoseNext lets the next request that matches reach the server in full, reads
// the whole answer, and then closes the client's connection without a byte of
// it. Faults that are armed together are tried in the order they were armed.
//
// match decides by the request's method, path and headers alone. It runs under
// the relay's lock, and must neither read the body nor call the relay.
func (r *Relay) LoseNext(match func(*http.Request) bool) *Loss {
	ev := newEvidence[Lost]()
	r.arm(&fault{
		match: match,
		fail:  func(err error) { ev.settle(Lost{}, err) },
		happen: func(w http.ResponseWriter, req *http.Request) {
			close(ev.matched)
			lost, err := r.lose(req)
			cut(w) // before the news, so that whoever hears it can rely on it
			ev.settle(lost, err)
		},
	})
	return &Loss{ev}
}

// Await returns the evidence as soon as the answer has been lost. Otherwise its
// error wraps ErrNoMatch and ctx's error if no request came, ctx's error alone
// if the server is still busy with it, ErrClosed, or what kept the server from
// answering in full.
func (l *Loss) Await(ctx context.Context) (Lost, error) {
	return l.ev.await(ctx, "lose an answer")
}

// lose goes on though the client may have left: a lost answer is one that the
// server gave in full, whether or not anybody still waited for it.
func (r *Relay) lose(req *http.Request) (Lost, error) {
	lost := Lost{Method: req.Method, Path: req.URL.Path}
	out, err := r.outbound(req)
	if err != nil {
		return lost, err
	}
	resp, err := r.transport.RoundTrip(out)
	if err != nil {
		return lost, fmt.Errorf("the server gave no answer: %w", err)
	}
	defer resp.Body.Close()
	lost.Status = resp.StatusCode
	if lost.Body, err = readAll(resp.Body); err != nil {
		return lost, fmt.Errorf("the server gave only part of an answer: %w", err)
	}
	return lost, nil
}

// cut closes the client's connection as it is: nothing has been written to it.
func cut(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // the other way to close without an answer
	}
	conn.Close()
}

// most bounds what the relay holds of one body, so that no server can fill our
// memory.
const most = 1 << 20

func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && len(b) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return b, err
}
