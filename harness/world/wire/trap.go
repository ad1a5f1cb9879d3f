package wire

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Moment is where on its way a command is caught.
type Moment int

const (
	// BeforeServer: the command was read from the client and not forwarded.
	BeforeServer Moment = iota
	// AfterServer: the server executed and answered the command, and the reply
	// was not yet passed on.
	AfterServer
	moments
)

// String names the moment in words.
func (m Moment) String() string {
	switch m {
	case BeforeServer:
		return "before the server"
	case AfterServer:
		return "after the server"
	}
	return fmt.Sprintf("Moment(%d)", int(m))
}

// Trap catches commands at one moment. Make one with [Proxy.Trap].
type Trap struct {
	proxy    *Proxy
	number   int
	at       Moment
	match    func(Command) bool
	handover chan *Caught // unbuffered: the connection itself offers what it holds
	disarmed chan struct{}
	once     sync.Once
}

// Trap catches every matching command that reaches this moment from now on, until
// it is disarmed; a nil match matches all. Of several traps that match, the one
// armed first wins. match is called at most once for a command, from the
// goroutine of its connection, and must not wait.
//
// Traps do not see opaque connections, nor commands while the mode is Hang or
// AnswerAll. A command that has passed BeforeServer may be caught AfterServer as
// well. No later command of its connection is forwarded from the time an
// AfterServer trap has matched it; a trap that was armed when the command was
// already with the server, say a BLPOP that waits there, still catches the reply,
// but commands pipelined behind it may have gone too.
func (p *Proxy) Trap(at Moment, match func(Command) bool) *Trap {
	if match == nil {
		match = func(Command) bool { return true }
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lastTrap++
	t := &Trap{
		proxy: p, number: p.lastTrap, at: at, match: match,
		handover: make(chan *Caught), disarmed: make(chan struct{}),
	}
	p.traps = append(p.traps, t)
	return t
}

// Next waits for the next caught command. Its caller must decide on it. The error
// is ctx's, saying that no command matched, or ErrClosed if the trap was disarmed
// or the proxy closed; both wrapped.
func (t *Trap) Next(ctx context.Context) (*Caught, error) {
	select {
	case caught := <-t.handover:
		return caught, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wire: no command matched the trap %s on the way to %s: %w",
			t.at, t.proxy.target(), ctx.Err())
	case <-t.disarmed:
	case <-t.proxy.closing:
	}
	return nil, fmt.Errorf("wire: wait for the trap %s on the way to %s: %w",
		t.at, t.proxy.target(), ErrClosed)
}

// Disarm makes the trap catch no more. What it caught and Next has not handed out
// is released; what Next handed out stays with whoever has it. So one command can
// be caught and kept while its like pass by.
func (t *Trap) Disarm() {
	t.once.Do(func() { close(t.disarmed) })
	t.proxy.mu.Lock()
	defer t.proxy.mu.Unlock()
	t.proxy.traps = slices.DeleteFunc(t.proxy.traps, func(other *Trap) bool { return other == t })
}

func (t *Trap) isDisarmed() bool {
	select {
	case <-t.disarmed:
		return true
	default:
		return false
	}
}

// claim finds the trap that catches req at this moment, or nil. It may be asked
// again later, and then asks only traps it has not asked yet.
func (p *Proxy) claim(at Moment, req *request) *Trap {
	if t := req.claimed[at]; t != nil && !t.isDisarmed() {
		return t
	}
	p.mu.Lock()
	traps := slices.Clone(p.traps)
	p.mu.Unlock()
	req.claimed[at] = nil
	command := req.snapshot().Command
	for _, t := range traps {
		if t.at != at || t.number <= req.asked[at] {
			continue
		}
		req.asked[at] = t.number
		if t.match(command) {
			req.claimed[at] = t
			break
		}
	}
	return req.claimed[at]
}
