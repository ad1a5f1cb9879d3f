package wire

import (
	"context"
	"errors"
	"testing"
)

func TestCloseWhileHeld(t *testing.T) {
	p, redis := start(t)
	before, after := p.Trap(BeforeServer, named("INCR")), p.Trap(AfterServer, named("SET"))
	one, two, three, blocked := dial(t, p), dial(t, p), dial(t, p), dial(t, p)
	one.send("INCR", "n")
	caught := next(t, before)
	two.send("SET", "k", "1")
	next(t, after)
	three.send("INCR", "n")
	await(t, p, func(all []Exchange) bool { return len(all) == 3 })
	blocked.send("BLPOP", "jobs", "0")
	await(t, p, func(all []Exchange) bool {
		return len(all) == 4 && all[2].Fate == Held && all[3].Forwarded
	})
	waiting := make(chan error, 2)
	go func() { waiting <- p.Await(context.Background(), func() bool { return false }) }()
	go func() {
		_, err := p.Trap(BeforeServer, named("NOSUCH")).Next(context.Background())
		waiting <- err
	}()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := <-waiting; !errors.Is(err, ErrClosed) {
			t.Errorf("waiting call: %v", err)
		}
	}
	for _, c := range []*peer{one, two, three, blocked} {
		c.expectEnd()
	}
	caught.Release()
	if redis.Exists("n") {
		t.Error("a held command was executed")
	}
	want := []Fate{Cut, Cut, Cut, Passed}
	for i, x := range p.Exchanges() {
		if x.Fate != want[i] || x.Delivered || x.Forwarded != (i%2 == 1) {
			t.Errorf("exchange %d: %#v", i, x)
		}
	}
	if open, total := p.Connections(); open != 0 || total != 4 {
		t.Errorf("%d of %d connections open", open, total)
	}
	for name, again := range map[string]func() error{
		"pass": p.Pass, "hang": p.Hang, "refuse": p.Refuse,
		"answer": func() error { return p.AnswerAll("ERR no") },
	} {
		if err := again(); !errors.Is(err, ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	if err := p.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestCloseInEachMode(t *testing.T) {
	for name, enter := range map[string]func(*Proxy) error{
		"refuse": (*Proxy).Refuse, "hang": (*Proxy).Hang,
		"answer": func(p *Proxy) error { return p.AnswerAll("ERR no") },
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := start(t)
			dial(t, p).send("PING")
			if err := errors.Join(enter(p), p.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}
