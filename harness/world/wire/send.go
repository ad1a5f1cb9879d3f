package wire

import (
	"context"
	"fmt"
	"net"
	"time"
)

// send gives the command to the server, and waits until its reply was dealt with
// if a trap is to hold that.
func (f *forwarder) send(ctx context.Context, req *request) {
	server, err := f.connect(ctx)
	if err != nil {
		f.stop(Dropped, err.Error())
		f.closeClient()
		req.finish(Dropped, err.Error())
		return
	}
	command := req.snapshot().Command
	if f.isOpaque() || command.turnsOpaque() {
		f.sendOpaque(ctx, server, req)
		return
	}
	held := f.proxy.claim(AfterServer, req) != nil
	f.last = req
	// Written down before it is done: the reply may be here before Write returns.
	req.update(func(x *Exchange) { x.Fate, x.Forwarded, x.Sent = Passed, true, time.Now() })
	if !f.pending.push(req) {
		f.retract(req)
		req.finish(Dropped, "server had closed the connection")
		return
	}
	if !f.write(server, req) {
		return // the reader of replies finishes it
	}
	f.multi.track(command)
	if held {
		f.await(ctx, req)
	}
}

// sendOpaque forwards without expecting a reply. The first time, it waits for the
// replies that still can be told apart.
func (f *forwarder) sendOpaque(ctx context.Context, server *net.TCPConn, req *request) {
	f.await(ctx, f.last)
	f.turnOpaque()
	req.update(func(x *Exchange) { x.Fate, x.Forwarded, x.Sent = Opaque, true, time.Now() })
	if !f.write(server, req) {
		req.finish(Dropped, "server had closed the connection")
		return
	}
	req.finish("", "")
}

// write is false if not all bytes could be given to the server, which therefore
// cannot have executed the command.
func (f *forwarder) write(server *net.TCPConn, req *request) bool {
	defer close(req.written)
	n, err := server.Write(req.raw)
	if n == len(req.raw) {
		return true
	}
	f.retract(req)
	f.stop(Dropped, fmt.Sprintf("write to %s: %v", f.proxy.target(), err))
	_ = server.Close()
	return false
}

func (f *forwarder) retract(req *request) {
	req.update(func(x *Exchange) { x.Fate, x.Forwarded, x.Sent = Dropped, false, time.Time{} })
}

// connect calls the server, the first time.
func (f *forwarder) connect(ctx context.Context) (*net.TCPConn, error) {
	f.mu.Lock()
	server := f.server
	f.mu.Unlock()
	if server != nil {
		return server, nil
	}
	var dialer net.Dialer
	called, err := dialer.DialContext(ctx, "tcp", f.proxy.target())
	if err != nil {
		return nil, fmt.Errorf("wire: call the server: %w", err)
	}
	server = called.(*net.TCPConn)
	if err := f.adopt(ctx, server); err != nil {
		return nil, fmt.Errorf("wire: call the server %s: %w", f.proxy.target(), err)
	}
	f.tasks.Go(func() { f.readReplies(ctx, server) })
	return server, nil
}
