package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
)

// readReplies matches what the server sends with the commands it was given, until
// it closes the connection. Then no command of this connection can be answered
// any more, and the client learns it.
func (c *conn) readReplies(ctx context.Context, server *net.TCPConn) {
	err := c.passReplies(ctx, server)
	c.stop(Dropped, "server had closed the connection")
	c.closeClient()
	_ = server.Close()
	c.pending.close()
	if errors.Is(err, errMalformed) {
		c.malformedReply(err)
	}
	for {
		req, ok := c.pending.tryPop()
		if !ok {
			return
		}
		<-req.written // at once, now that server is closed
		req.finish("", "no answer: "+c.whyEnded(err))
	}
}

// whyEnded puts the reason why the proxy closed the server's connection, if it was
// the proxy, in place of the bare error.
func (c *conn) whyEnded(err error) string {
	if why := c.whyStopped(); errors.Is(err, net.ErrClosed) && why != nil {
		return why.problem
	}
	if err == io.EOF {
		return "server closed the connection"
	}
	return err.Error()
}

// malformedReply is the end of the command it was meant for.
func (c *conn) malformedReply(err error) {
	if req, ok := c.pending.tryPop(); ok {
		<-req.written
		req.finish(Malformed, err.Error())
		return
	}
	c.proxy.record.add(c.number, nil, Malformed).finish("", err.Error())
}

// passReplies returns why it ended, never nil.
func (c *conn) passReplies(ctx context.Context, server *net.TCPConn) error {
	in := newRawReader(server)
	for {
		// Look at the flag only when there is something to read: the forwarder
		// sets it while this goroutine waits for the server.
		if _, err := in.in.Peek(1); err != nil {
			return err
		}
		if c.isOpaque() {
			return c.copyReplies(in.in)
		}
		reply, err := readReply(in)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return malformed("server closed the connection within a reply")
		}
		if err != nil {
			return err
		}
		if reply.push {
			c.deliver(nil, reply.raw)
			continue
		}
		req, ok := c.pending.tryPop()
		if !ok {
			return c.unasked(reply)
		}
		c.answer(ctx, req, reply)
	}
}

// unasked passes the reply on, which may say why the server does not want the
// connection ("-DENIED Redis is running in protected mode"), and ends the
// connection: with one reply too many, none could be matched any more.
func (c *conn) unasked(r reply) error {
	problem := "server sent a reply that no command asked for"
	e := c.proxy.record.add(c.number, nil, Unasked)
	e.reply(r.raw)
	c.deliver(nil, r.raw)
	e.finish("", problem)
	return fmt.Errorf("wire: read from %s: %s", c.proxy.target(), problem)
}

// answer records a reply and decides what becomes of it.
func (c *conn) answer(ctx context.Context, req *request, r reply) {
	req.reply(r.raw)
	if t := c.proxy.claim(AfterServer, req); t != nil {
		if c.hold(ctx, t, req) != release {
			req.finish("", "")
			return
		}
	}
	if mode, _ := c.proxy.stance(c); mode.kind == hanging {
		req.finish(Hung, "")
		return
	}
	c.deliver(req, r.raw)
	req.finish("", "")
}

// copyReplies passes bytes on without looking at them.
func (c *conn) copyReplies(in io.Reader) error {
	buf := make([]byte, 16<<10)
	for {
		n, err := in.Read(buf)
		if n > 0 {
			c.deliver(nil, string(buf[:n]))
		}
		if err != nil {
			return err
		}
	}
}
