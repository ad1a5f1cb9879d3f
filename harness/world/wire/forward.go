package wire

import (
	"context"
	"sync"
)

// forwarder gives the commands of one connection to the server, one at a time.
// Only its own goroutine touches it.
type forwarder struct {
	*conn
	tasks *sync.WaitGroup // of the connection; the reader of replies joins it
	multi transaction
	last  *request // the last one given to the server whose reply is awaited
}

// run returns when the client has gone and all it sent was dealt with.
func (f *forwarder) run(ctx context.Context) {
	for {
		req, ok := f.queue.pop()
		if !ok {
			break
		}
		f.turn(ctx, req)
	}
	// Closing only the sending half lets the server notice that the client has
	// gone, so that a blocked BLPOP of it takes nothing any more, and yet
	// answer what it has executed.
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.server != nil {
		_ = f.server.CloseWrite()
	}
}

// turn decides what becomes of one command.
func (f *forwarder) turn(ctx context.Context, req *request) {
	if req.malformed != nil {
		f.await(ctx, f.last)
		f.stop(Dropped, "malformed input earlier on the connection")
		req.finish(Malformed, req.malformed.Error())
		f.closeClient()
		return
	}
	f.multi.complete(req)
	mode, why := f.proxy.stance(f.conn)
	if why != nil {
		req.finish(why.fate, why.problem)
		return
	}
	if f.divert(ctx, mode, req) {
		return
	}
	if t := f.trapBefore(req); t != nil {
		if f.hold(ctx, t, req) != release {
			req.finish("", "")
			return
		}
		// The mode may have changed meanwhile. That the client has gone or the
		// connection was stopped does not count: what was held goes on.
		mode, _ = f.proxy.stance(f.conn)
		if f.divert(ctx, mode, req) {
			return
		}
	}
	f.send(ctx, req)
}

func (f *forwarder) trapBefore(req *request) *Trap {
	if f.isOpaque() {
		return nil
	}
	return f.proxy.claim(BeforeServer, req)
}

// divert plays the outage of the mode, if it is one.
func (f *forwarder) divert(ctx context.Context, m mode, req *request) bool {
	switch m.kind {
	case hanging:
		req.finish(Hung, "")
		return true
	case faking:
		f.fake(ctx, m.error, req)
		return true
	}
	return false
}

// fake answers in the server's place, after the replies that are due before.
func (f *forwarder) fake(ctx context.Context, answer string, req *request) {
	if f.isOpaque() {
		f.stop(Dropped, "opaque connection closed in mode AnswerAll")
		f.closeClient()
		req.finish(Dropped, "opaque connection closed in mode AnswerAll")
		return
	}
	f.await(ctx, f.last)
	f.deliver(req, answer)
	req.finish(Faked, "")
}

// await waits until req, if there is one, was answered and the answer dealt with.
func (f *forwarder) await(ctx context.Context, req *request) {
	if req == nil {
		return
	}
	select {
	case <-req.finished:
	case <-ctx.Done():
	}
}
