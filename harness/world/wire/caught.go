package wire

import (
	"context"
	"fmt"
	"sync"
)

type decision int

const (
	release decision = iota
	cut
	swallow
)

// Caught is a command in a trap. Exactly one of Release, Cut and Swallow decides
// on it; further calls do nothing. Each returns when the decision stands in the
// record.
type Caught struct {
	conn     *conn
	entry    *entry
	at       Moment
	once     sync.Once
	decided  chan struct{} // closed after decision is set
	decision decision
}

// Exchange is the command as it stands now: at AfterServer with the server's
// reply, and after the decision with its outcome.
func (c *Caught) Exchange() Exchange { return c.entry.snapshot() }

// Release lets the command or reply go on as if nothing had happened. A command
// is forwarded even if its client has gone: so the last command of a program that
// froze arrives late. The mode counts as it is then: during Hang nothing goes on,
// during AnswerAll a command gets that answer.
func (c *Caught) Release() {
	c.decide(release, Passed, func() {})
}

// Cut closes the client's connection. Before the server the command is never
// forwarded, after the server its reply is dropped. Later commands of the
// connection are dropped too.
func (c *Caught) Cut() {
	c.decide(cut, Cut, func() {
		c.conn.stop(Dropped, "connection cut at an earlier command")
		c.conn.closeClient()
	})
}

// Swallow drops the command or the reply and leaves the connection open: the
// client waits. Nothing more is forwarded on this connection, because the client
// would take the next reply for the one that is missing.
func (c *Caught) Swallow() {
	c.decide(swallow, Swallowed, func() {
		c.conn.stop(Hung, "an earlier command of the connection was swallowed")
		if c.at == AfterServer {
			c.conn.mute()
		}
	})
}

func (c *Caught) decide(d decision, fate Fate, act func()) {
	c.once.Do(func() {
		c.entry.update(func(x *Exchange) { x.Fate = fate })
		act()
		c.decision = d
		close(c.decided)
	})
}

// Answered waits until the server has answered the command, which it can only
// after Release if it was caught before the server. The error is ctx's, or says
// why there will be no answer.
func (c *Caught) Answered(ctx context.Context) (Exchange, error) {
	select {
	case <-c.entry.answered:
	case <-ctx.Done():
		x := c.entry.snapshot()
		return x, fmt.Errorf("wire: wait for the answer to %s: %w", x.Command, ctx.Err())
	}
	x := c.entry.snapshot()
	if !x.Answered {
		return x, fmt.Errorf("wire: wait for the answer to %s: %w (fate %s, %s)",
			x.Command, ErrNoAnswer, x.Fate, x.Problem)
	}
	return x, nil
}

// hold offers a command to the trap that caught it and waits for the decision. If
// the proxy ends the connection meanwhile, the command is cut.
func (c *conn) hold(ctx context.Context, t *Trap, req *request) decision {
	caught := &Caught{conn: c, entry: req.entry, at: t.at, decided: make(chan struct{})}
	req.update(func(x *Exchange) { x.Fate = Held })
	select {
	case t.handover <- caught:
	case <-t.disarmed:
		caught.Release()
	case <-ctx.Done():
		caught.Cut()
	}
	select {
	case <-caught.decided:
	case <-ctx.Done():
		caught.Cut()
		<-caught.decided
	}
	return caught.decision
}
