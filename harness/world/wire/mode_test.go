package wire

import (
	"errors"
	"net"
	"syscall"
	"testing"
)

func TestRefuse(t *testing.T) {
	p, redis := start(t)
	c, blocked := dial(t, p), dial(t, p)
	c.send("SET", "k", "1")
	c.expect("+OK\r\n")
	trap := p.Trap(BeforeServer, named("INCR"))
	blocked.send("INCR", "n")
	caught := next(t, trap)

	if err := p.Refuse(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.in.ReadByte(); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("existing connection: %v, want a reset", err)
	}
	if _, err := net.Dial("tcp", p.Addr()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("new connection: %v, want refused", err)
	}
	if _, err := caught.Answered(within(t)); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("held command: %v, want no answer", err)
	}
	caught.Release() // too late
	if err := p.Refuse(); err != nil {
		t.Errorf("refuse again: %v", err)
	}

	addr := p.Addr()
	if err := p.Pass(); err != nil {
		t.Fatal(err)
	}
	if p.Addr() != addr {
		t.Errorf("port changed from %s to %s", addr, p.Addr())
	}
	again := dial(t, p)
	again.send("GET", "k")
	again.expect("$1\r\n1\r\n")
	if redis.Exists("n") {
		t.Error("the held command was executed")
	}
}

func TestPassFailsIfThePortIsLost(t *testing.T) {
	p, _ := start(t)
	if err := p.Refuse(); err != nil {
		t.Fatal(err)
	}
	thief, err := net.Listen("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Pass(); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("Pass: %v", err)
	}
	if err := thief.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Pass(); err != nil {
		t.Errorf("Pass, port free again: %v", err)
	}
}

func TestHang(t *testing.T) {
	p, redis := start(t)
	idle, blocked, held := dial(t, p), dial(t, p), dial(t, p)
	idle.send("PING")
	idle.expect("+PONG\r\n")
	blocked.send("BLPOP", "jobs", "0")
	await(t, p, func(all []Exchange) bool { return len(all) == 2 && all[1].Forwarded })
	trap := p.Trap(BeforeServer, named("INCR"))
	held.send("INCR", "n")
	caught := next(t, trap)

	if err := p.Hang(); err != nil {
		t.Fatal(err)
	}
	fresh := dial(t, p)
	fresh.send("SET", "k", "fresh")
	idle.send("SET", "k", "idle")
	if _, err := redis.RPush("jobs", "job-1"); err != nil {
		t.Fatal(err)
	}
	caught.Release()
	await(t, p, func(all []Exchange) bool {
		hung := 0
		for _, x := range all {
			if x.Fate == Hung && !x.Delivered {
				hung++
			}
		}
		return hung == 4 && all[1].Answered && !all[2].Forwarded
	})
	if open, _ := p.Connections(); open != 4 {
		t.Errorf("%d connections open, want 4", open)
	}

	if err := p.Pass(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []*peer{idle, blocked, held, fresh} {
		c.expectEnd()
	}
	again := dial(t, p)
	again.send("EXISTS", "k", "n")
	again.expect(":0\r\n")
}

// What was caught before Hang and released after it is still forwarded, although
// its connection was closed: the command of a frozen program.
func TestHeldThroughHang(t *testing.T) {
	p, redis := start(t)
	trap := p.Trap(BeforeServer, named("INCR"))
	c := dial(t, p)
	c.send("INCR", "n")
	c.send("SET", "later", "1")
	caught := next(t, trap)
	await(t, p, func(all []Exchange) bool { return len(all) == 2 })
	if err := errors.Join(p.Hang(), p.Pass()); err != nil {
		t.Fatal(err)
	}
	c.expectEnd()
	caught.Release()
	if _, err := caught.Answered(within(t)); err != nil {
		t.Fatal(err)
	}
	redis.CheckGet(t, "n", "1")
	await(t, p, func(all []Exchange) bool { return all[1].Fate == Dropped })
}

func TestAnswerAll(t *testing.T) {
	const oom = "OOM command not allowed when used memory > 'maxmemory'."
	p, redis := start(t)
	c, blocked := dial(t, p), dial(t, p)
	c.send("SET", "k", "1")
	c.expect("+OK\r\n")
	blocked.send("BLPOP", "jobs", "0")
	await(t, p, func(all []Exchange) bool { return len(all) == 2 && all[1].Forwarded })

	if err := p.AnswerAll("-" + oom + "\r\n"); err != nil {
		t.Fatal(err)
	}
	fresh := dial(t, p)
	for _, client := range []*peer{c, fresh} {
		client.send("SET", "k", "2")
		client.send("GET", "k")
		client.expect("-" + oom + "  \r\n")
		client.expect("-" + oom + "  \r\n")
	}
	blocked.send("PING")
	if _, err := redis.RPush("jobs", "job-1"); err != nil {
		t.Fatal(err)
	}
	blocked.expect("*2\r\n$4\r\njobs\r\n$5\r\njob-1\r\n") // the real reply comes first
	blocked.expect("-" + oom + "  \r\n")
	redis.CheckGet(t, "k", "1")
	want := Exchange{
		Command:   Command{Seq: 3, Conn: 1, Args: []string{"SET", "k", "2"}},
		Delivered: true, Fate: Faked,
	}
	all := p.Exchanges()
	expectRecord(t, p, append([]Exchange{all[0], all[1], want}, all[3:]...)...)

	if err := p.Pass(); err != nil {
		t.Fatal(err)
	}
	c.send("GET", "k")
	c.expect("$1\r\n1\r\n")
	fresh.send("GET", "k")
	fresh.expect("$1\r\n1\r\n")
}
