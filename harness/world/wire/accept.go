package wire

import (
	"errors"
	"fmt"
	"net"
)

// accept takes connections until listener is closed.
func (p *Proxy) accept(listener net.Listener) {
	for {
		client, err := listener.Accept()
		if err != nil {
			p.acceptEnded(listener, err)
			return
		}
		p.admit(client.(*net.TCPConn))
	}
}

// admit gives a new client its connection, or turns it away if the proxy stopped
// listening while it was being accepted.
func (p *Proxy) admit(client *net.TCPConn) {
	p.mu.Lock()
	if p.closed || p.mode.kind == refusing {
		p.mu.Unlock()
		resetAndClose(client)
		return
	}
	p.accepted++
	c, ctx := newConn(p, p.accepted, client)
	p.conns[c] = struct{}{}
	p.tasks.Go(func() {
		c.serve(ctx)
		p.forget(c)
	})
	p.mu.Unlock()
	p.news.spread()
}

func (p *Proxy) forget(c *conn) {
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
	p.news.spread()
}

// acceptEnded keeps the error for Close, unless the proxy closed the listener.
func (p *Proxy) acceptEnded(listener net.Listener, err error) {
	if errors.Is(err, net.ErrClosed) {
		return
	}
	p.mu.Lock()
	p.acceptErr = fmt.Errorf("wire: accept on %s: %w", p.addr, err)
	p.mu.Unlock()
	_ = listener.Close() // better refused than left waiting
}

// hangUp closes the listener and kills all connections, with a TCP reset if asked
// to.
func (p *Proxy) hangUp(reset bool) error {
	p.mu.Lock()
	listener := p.listener
	p.listener = nil
	conns := make([]*conn, 0, len(p.conns))
	for c := range p.conns {
		conns = append(conns, c)
	}
	p.mu.Unlock()
	var err error
	if listener != nil {
		if err = listener.Close(); errors.Is(err, net.ErrClosed) {
			err = nil // acceptEnded has done it
		}
	}
	for _, c := range conns {
		c.kill(reset)
	}
	return err
}

// resetAndClose closes with RST: the client sees "connection reset", as from a
// server that died.
func resetAndClose(client *net.TCPConn) {
	_ = client.SetLinger(0)
	_ = client.Close()
}
