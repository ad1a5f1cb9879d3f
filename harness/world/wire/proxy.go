package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

// ErrClosed is returned, wrapped, by whatever cannot be done or waited for any
// longer because the proxy was closed or the trap disarmed.
var ErrClosed = errors.New("wire closed")

// ErrNoAnswer is returned, wrapped, when a command can no longer be answered by
// the server.
var ErrNoAnswer = errors.New("no answer from the server")

// Proxy stands between one program and one Redis server. Make one with [Listen];
// all its methods may be called from several goroutines.
type Proxy struct {
	server  atomic.Pointer[string] // host:port, see Retarget
	ground  Ground                 // where the program is
	addr    string                 // host:port the program connects to
	news    news                   // every change of the record or the connections
	record  record
	closing chan struct{} // closed by Close
	tasks   sync.WaitGroup

	switching sync.Mutex // one change of mode at a time

	mu        sync.Mutex // guards what follows
	listener  net.Listener
	mode      mode
	conns     map[*conn]struct{} // not yet ended, including held ones whose client has gone
	accepted  int
	traps     []*Trap // in the order of arming
	lastTrap  int
	closed    bool
	acceptErr error
}

// Listen starts a proxy on a free port of 127.0.0.1 that forwards to target, a
// host:port. The server is called at the first command of each connection, not
// before. The caller must Close the proxy.
func Listen(target string) (*Proxy, error) { return ListenOn(here{}, "127.0.0.1:0", target) }

// ListenOn is Listen on another ground than this machine's own, at a host:port there.
func ListenOn(ground Ground, addr, target string) (*Proxy, error) {
	if _, _, err := net.SplitHostPort(target); err != nil {
		return nil, fmt.Errorf("wire: forward to %q: %w", target, err)
	}
	p := &Proxy{
		ground:  ground,
		addr:    addr,
		closing: make(chan struct{}),
		conns:   map[*conn]struct{}{},
	}
	p.Retarget(target)
	p.record.news = &p.news
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.listen(); err != nil {
		return nil, err
	}
	return p, nil
}

// listen opens p.addr and accepts from it. The caller holds p.mu.
func (p *Proxy) listen() error {
	listener, err := p.ground.Listen(p.addr)
	if err != nil {
		return fmt.Errorf("wire: listen on %s for %s: %w", p.addr, p.target(), err)
	}
	p.listener = listener
	p.addr = listener.Addr().String()
	p.tasks.Go(func() { p.accept(listener) })
	return nil
}

// Addr is the host:port a program must be given instead of the server's. It stays
// the same through all modes.
func (p *Proxy) Addr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addr
}

// Retarget makes the proxy forward new connections to another host:port: that of
// a server that was started anew. Connections that are there stay where they are.
func (p *Proxy) Retarget(server string) { p.server.Store(&server) }

func (p *Proxy) target() string { return *p.server.Load() }

// Exchanges is a copy of the record so far, in the order of Seq.
func (p *Proxy) Exchanges() []Exchange { return p.record.snapshot() }

// Connections says how many clients are connected now, and how many there have
// been in all.
func (p *Proxy) Connections() (open, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		if !c.isGone() {
			open++
		}
	}
	return open, p.accepted
}

// Await waits until condition holds. It looks at once and again after every
// change of the record or of the connections; condition may call any method of p
// that does not wait. The error is that of ctx, or ErrClosed, wrapped.
func (p *Proxy) Await(ctx context.Context, condition func() bool) error {
	for {
		changed := p.news.wait()
		if condition() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wire: wait for a change on the way to %s: %w", p.target(), ctx.Err())
		case <-p.closing:
			return fmt.Errorf("wire: wait for a change on the way to %s: %w", p.target(), ErrClosed)
		}
	}
}

// Close ends everything: the listener, all connections, and all waiting calls,
// which return ErrClosed. What is held is cut. Close returns when no goroutine is
// left; the record can still be read then.
func (p *Proxy) Close() error {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.closing)
	}
	p.mu.Unlock()
	err := p.hangUp(false)
	p.tasks.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(err, p.acceptErr)
}
