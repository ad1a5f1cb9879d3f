package wire

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestFirstArmedTrapWins(t *testing.T) {
	for _, at := range []Moment{BeforeServer, AfterServer} {
		p, _ := start(t)
		asked := 0
		first := p.Trap(at, func(c Command) bool { asked++; return c.Name() == "INCR" })
		second := p.Trap(at, nil)
		c := dial(t, p)
		c.send("INCR", "n")
		next(t, first).Release()
		c.expect(":1\r\n")
		c.send("PING")
		next(t, second).Release()
		c.expect("+PONG\r\n")
		if asked != 2 {
			t.Errorf("%s: match asked %d times for two commands", at, asked)
		}
	}
}

func TestDisarm(t *testing.T) {
	for _, at := range []Moment{BeforeServer, AfterServer} {
		t.Run(at.String(), func(t *testing.T) {
			p, _ := start(t)
			trap := p.Trap(at, named("INCR"))
			kept, waiting := dial(t, p), dial(t, p)
			kept.send("INCR", "kept")
			caught := next(t, trap)
			waiting.send("INCR", "waiting")
			await(t, p, func(all []Exchange) bool { return len(all) == 2 && all[1].Fate == Held })
			trap.Disarm()
			trap.Disarm()
			waiting.expect(":1\r\n") // not handed out: released
			waiting.send("INCR", "waiting")
			waiting.expect(":2\r\n") // not caught any more
			if x := caught.Exchange(); x.Fate != Held {
				t.Errorf("handed out and undecided, but %s", x.Fate)
			}
			if _, err := trap.Next(within(t)); !errors.Is(err, ErrClosed) {
				t.Errorf("Next of a disarmed trap: %v", err)
			}
			caught.Release()
			kept.expect(":1\r\n")
		})
	}
}

// A disarmed trap leaves the reply to the next one that matches.
func TestDisarmWhileServerWorks(t *testing.T) {
	p, redis := start(t)
	first, second := p.Trap(AfterServer, nil), p.Trap(AfterServer, nil)
	c := dial(t, p)
	c.send("BLPOP", "jobs", "0")
	await(t, p, func(all []Exchange) bool { return len(all) == 1 && all[0].Forwarded })
	first.Disarm()
	if _, err := redis.RPush("jobs", "job-1"); err != nil {
		t.Fatal(err)
	}
	next(t, second).Cut()
	c.expectEnd()
}

func TestNextErrors(t *testing.T) {
	p, _ := start(t)
	trap := p.Trap(AfterServer, named("INCR"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := trap.Next(ctx)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "no command matched") {
		t.Errorf("Next: %v", err)
	}
	before := p.Trap(BeforeServer, nil)
	dial(t, p).send("PING")
	if _, err := next(t, before).Answered(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Answered of a held command: %v", err)
	}
	if err := p.Await(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("Await: %v", err)
	}
}
