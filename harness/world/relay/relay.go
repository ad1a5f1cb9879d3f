// Package relay stands between an HTTP client and a stage's server and can lose
// one answer, or hang up on the server, at will.
//
// It is a plain relay until a fault is armed. Each fault hits one request and
// says afterwards what it did, because a fault without evidence proves nothing.
//
// It never repeats a request by itself. A repeat that nobody asked for would
// hide exactly what the workbook is about.
package relay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"
)

// ErrClosed means that the relay was closed before the fault had happened.
var ErrClosed = errors.New("the relay is closed")

// Relay is one listening relay. All methods may be called from several goroutines.
type Relay struct {
	target    *url.URL
	addr      string
	server    *http.Server
	transport *http.Transport
	plain     *httputil.ReverseProxy

	// life ends when the relay closes and with it every request in flight. The
	// client's leaving does not end a faulted request: see lose.
	life    context.Context
	end     context.CancelFunc
	serving chan struct{}

	mu       sync.Mutex
	closed   bool
	armed    []*fault
	handlers sync.WaitGroup
}

// Listen starts a relay on a free loopback port in front of target, a base URL
// such as "http://127.0.0.1:8080". Whoever listens also calls Close; the end of
// ctx cuts what is in flight and leaves the closing to do.
func Listen(ctx context.Context, target string) (*Relay, error) {
	u, err := url.Parse(target)
	if err == nil && (u.Scheme != "http" || u.Port() == "" || (u.Path != "" && u.Path != "/")) {
		err = errors.New("want http://HOST:PORT")
	}
	if err != nil {
		return nil, fmt.Errorf("relay to %q: %w", target, err)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("relay to %s: listen: %w", target, err)
	}
	r := &Relay{
		target: u,
		addr:   listener.Addr().String(),
		// One connection for each request: on a connection used before,
		// net/http repeats a request whose answer does not come.
		transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		serving:   make(chan struct{}),
	}
	r.life, r.end = context.WithCancel(ctx)
	r.plain = &httputil.ReverseProxy{
		Rewrite:   r.rewrite,
		Transport: r.transport,
		// A server that cannot be reached has not answered 502. The client sees
		// what it would have seen without us: no answer.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	r.server = &http.Server{
		Handler:           http.HandlerFunc(r.handle),
		BaseContext:       func(net.Listener) context.Context { return r.life },
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	go func() {
		defer close(r.serving)
		_ = r.server.Serve(listener) // always ErrServerClosed, from Close
	}()
	return r, nil
}

// URL is the relay's base URL, without a slash at its end.
func (r *Relay) URL() string { return "http://" + r.addr }

// Close cuts what is in flight, waits until all of it has ended, and fails every
// fault that has not happened with ErrClosed.
func (r *Relay) Close() {
	r.mu.Lock()
	r.closed = true
	armed := r.armed
	r.armed = nil
	r.mu.Unlock()

	r.end()
	_ = r.server.Close() // the listener is ours; there is nothing to learn from it
	<-r.serving
	r.handlers.Wait()
	r.transport.CloseIdleConnections()
	for _, f := range armed {
		f.fail(ErrClosed)
	}
}
