package wire

import (
	"errors"
	"strings"
	"testing"
)

func incr(seq int) Exchange { return passed(seq, 1, ":1\r\n", "INCR", "n") }

// Each moment with each decision. The server's own state is the proof.
func TestDecisions(t *testing.T) {
	release, cut, swallow := (*Caught).Release, (*Caught).Cut, (*Caught).Swallow
	for _, tt := range []struct {
		name     string
		at       Moment
		decide   func(*Caught)
		executed bool
		replied  bool // the client has its reply
		closed   bool // the client's connection has ended
		want     Exchange
	}{
		{"release before", BeforeServer, release, true, true, false, incr(1)},
		{"release after", AfterServer, release, true, true, false, incr(1)},
		{"cut before", BeforeServer, cut, false, false, true, incr(1).but(func(x *Exchange) {
			*x = Exchange{Command: x.Command, Fate: Cut}
		})},
		{"cut after", AfterServer, cut, true, false, true, incr(1).but(func(x *Exchange) {
			x.Delivered, x.Fate = false, Cut
		})},
		{"swallow before", BeforeServer, swallow, false, false, false, incr(1).but(func(x *Exchange) {
			*x = Exchange{Command: x.Command, Fate: Swallowed}
		})},
		{"swallow after", AfterServer, swallow, true, false, false, incr(1).but(func(x *Exchange) {
			x.Delivered, x.Fate = false, Swallowed
		})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, redis := start(t)
			trap := p.Trap(tt.at, named("INCR"))
			c := dial(t, p)
			c.send("INCR", "n")
			caught := next(t, trap)
			if got, want := redis.Exists("n"), tt.at == AfterServer; got != want {
				t.Fatalf("while held %s: key exists %v, want %v", tt.at, got, want)
			}
			if x := caught.Exchange(); x.Fate != Held || x.Answered != (tt.at == AfterServer) || x.Delivered {
				t.Errorf("while held: %#v", x)
			}
			tt.decide(caught)
			caught.Release() // too late: does nothing
			caught.Cut()
			caught.Swallow()
			x, err := caught.Answered(within(t))
			if tt.executed && (err != nil || x.Reply != ":1\r\n") {
				t.Errorf("answered: %#v, %v", x, err)
			}
			if !tt.executed && tt.name == "cut before" && !errors.Is(err, ErrNoAnswer) {
				t.Errorf("answered: %v, want ErrNoAnswer", err)
			}
			if tt.replied {
				c.expect(":1\r\n")
			}
			if tt.closed {
				c.expectEnd()
			}
			if !tt.closed && !tt.replied {
				if open, _ := p.Connections(); open != 1 {
					t.Errorf("%d connections open, want 1", open)
				}
			}
			if redis.Exists("n") != tt.executed {
				t.Errorf("executed: %v, want %v", redis.Exists("n"), tt.executed)
			}
			expectRecord(t, p, tt.want)
		})
	}
}

// A worker that froze with its command under way: the command arrives late.
func TestHeldCommandOutlivesItsClient(t *testing.T) {
	p, redis := start(t)
	before, after := p.Trap(BeforeServer, named("INCR")), p.Trap(AfterServer, named("INCR"))
	c := dial(t, p)
	c.send("INCR", "n")
	c.send("SET", "sent-before-it-died", "1")
	caught := next(t, before)
	await(t, p, func(all []Exchange) bool { return len(all) == 2 })
	_ = c.Close()
	awaitOpen(t, p, 0)
	if redis.Exists("n") {
		t.Fatal("executed while held")
	}
	caught.Release()
	next(t, after).Release()
	if _, err := caught.Answered(within(t)); err != nil {
		t.Fatal(err)
	}
	await(t, p, func(all []Exchange) bool { return all[1].Answered })
	redis.CheckGet(t, "n", "1")
	gone := func(x *Exchange) { x.Delivered = false }
	expectRecord(t, p, incr(1).but(gone),
		passed(2, 1, "+OK\r\n", "SET", "sent-before-it-died", "1").but(gone))
}

// The server closes its end when a client that waits in BLPOP has gone; until
// then what it answers is written down.
func TestReplyAfterClientHasGone(t *testing.T) {
	proceed := make(chan struct{})
	p := startFake(t, func(s *peer) {
		s.expectArgs()
		<-proceed
		s.raw(":1\r\n")
		s.expectEnd() // the proxy has closed its sending half
	})
	c := dial(t, p)
	c.send("INCR", "n")
	await(t, p, func(all []Exchange) bool { return len(all) == 1 && all[0].Forwarded })
	_ = c.Close()
	awaitOpen(t, p, 0)
	close(proceed)
	await(t, p, func(all []Exchange) bool { return all[0].Answered })
	expectRecord(t, p, incr(1).but(func(x *Exchange) { x.Delivered = false }))
}

// A trap for replies also catches the reply to a command that was already waiting
// in the server when the trap was armed.
func TestTrapArmedWhileServerWorks(t *testing.T) {
	p, redis := start(t)
	c := dial(t, p)
	c.send("BLPOP", "jobs", "0")
	c.send("GET", "pipelined")
	await(t, p, func(all []Exchange) bool { return len(all) == 2 && all[1].Forwarded })
	trap := p.Trap(AfterServer, named("BLPOP"))
	if _, err := redis.RPush("jobs", "job-1"); err != nil {
		t.Fatal(err)
	}
	caught := next(t, trap)
	if got := caught.Exchange().Reply; !strings.Contains(got, "job-1") {
		t.Errorf("reply %q", got)
	}
	caught.Swallow()
	await(t, p, func(all []Exchange) bool { return all[1].Answered })
	_ = c.Close()
	awaitOpen(t, p, 0)
	for _, x := range p.Exchanges() {
		if x.Delivered {
			t.Errorf("delivered behind a swallowed reply: %#v", x)
		}
	}
}
