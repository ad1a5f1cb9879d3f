package relay

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
)

// HangUp is a client that will hang up, or has.
type HangUp struct{ ev *evidence[HungUp] }

// HungUp is the evidence: the request was written to the server in full, and
// then the connection was closed.
type HungUp struct {
	Method, Path string
	// Sent is how many bytes the request had, head and body. They were all
	// handed over before the close, so the server can read all of them. Whether
	// it still acts on them is its own decision.
	Sent int64
}

// HangUpNext plays a client that sends its request and leaves: the next request
// that matches is written to the server in full, then the connection to the
// server is closed without waiting for the answer, and the real client's with
// it. About match, see LoseNext.
func (r *Relay) HangUpNext(match func(*http.Request) bool) *HangUp {
	ev := newEvidence[HungUp]()
	r.arm(&fault{
		match: match,
		fail:  func(err error) { ev.settle(HungUp{}, err) },
		happen: func(w http.ResponseWriter, req *http.Request) {
			close(ev.matched)
			hung, err := r.hangUp(req)
			cut(w)
			ev.settle(hung, err)
		},
	})
	return &HangUp{ev}
}

// Await returns the evidence as soon as the request has been sent and the
// connection closed; its errors are as those of Loss.Await.
func (h *HangUp) Await(ctx context.Context) (HungUp, error) {
	return h.ev.await(ctx, "hang up on the server")
}

func (r *Relay) hangUp(req *http.Request) (HungUp, error) {
	hung := HungUp{Method: req.Method, Path: req.URL.Path}
	out, err := r.outbound(req)
	if err != nil {
		return hung, err
	}
	conn, err := (&net.Dialer{}).DialContext(r.life, "tcp", r.target.Host)
	if err != nil {
		return hung, fmt.Errorf("reach the server: %w", err)
	}
	// A server that does not read would hold up the write; closing ends it.
	stop := context.AfterFunc(r.life, func() { conn.Close() })
	defer stop()
	counted := &counter{w: conn}
	buffered := bufio.NewWriter(counted)
	err = out.Write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	hung.Sent = counted.n
	if err != nil {
		conn.Close()
		return hung, fmt.Errorf("send the request: %w", err)
	}
	if err := conn.Close(); err != nil {
		return hung, fmt.Errorf("hang up: %w", err)
	}
	return hung, nil
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
