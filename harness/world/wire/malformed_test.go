package wire

import (
	"net"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
)

func TestMalformedFromClient(t *testing.T) {
	for name, raw := range map[string]string{
		"no string":   "*1\r\n:1\r\n",
		"huge length": "*1\r\n$99999999999999\r\n",
		"quotes":      "GET \"a\r\n",
		"no end":      strings.Repeat("a", 2*maxLine),
	} {
		t.Run(name, func(t *testing.T) {
			p, redis := start(t)
			c := dial(t, p)
			c.send("INCR", "n")
			_, _ = c.Write([]byte(raw)) // may meet a closed connection
			c.expect(":1\r\n")
			if name != "no end" { // a reset may overtake what was sent
				c.expectEnd()
			}
			await(t, p, func(all []Exchange) bool { return len(all) == 2 && all[1].Fate == Malformed })
			x := p.Exchanges()[1]
			if x.Forwarded || x.Problem == "" || len(x.Args) > 0 || x.Name() != "" {
				t.Errorf("%#v", x)
			}
			redis.CheckGet(t, "n", "1")
		})
	}
}

// A client killed while it writes has sent no command.
func TestClientEndsWithinACommand(t *testing.T) {
	p, redis := start(t)
	c := dial(t, p)
	c.raw("*2\r\n$4\r\nINCR\r\n$1\r\n")
	_ = c.Close()
	await(t, p, func(all []Exchange) bool { return len(all) == 1 && all[0].Fate == Malformed })
	if redis.Exists("n") {
		t.Error("half a command was executed")
	}
	awaitOpen(t, p, 0)
}

func TestMalformedFromServer(t *testing.T) {
	for name, raw := range map[string]string{
		"no RESP":      "HTTP/1.1 400 Bad Request\r\n\r\n",
		"huge length":  "$99999999999999\r\n",
		"within reply": "$10\r\nabc",
	} {
		t.Run(name, func(t *testing.T) {
			p := startFake(t, func(s *peer) { s.expectArgs(); s.raw(raw) })
			c := dial(t, p)
			c.send("GET", "k")
			c.expectEnd()
			await(t, p, func(all []Exchange) bool { return all[0].Fate == Malformed })
			x := p.Exchanges()[0]
			if !x.Forwarded || x.Answered || x.Reply != "" || x.Problem == "" {
				t.Errorf("%#v", x)
			}
		})
	}
}

// Redis in protected mode says so and hangs up, whatever was asked.
func TestUnaskedReply(t *testing.T) {
	const denied = "-DENIED Redis is running in protected mode\r\n"
	p := startFake(t, func(s *peer) {
		s.expectArgs()
		s.raw("+OK\r\n" + denied)
	})
	c := dial(t, p)
	c.send("PING")
	c.expect("+OK\r\n")
	c.expect(denied)
	c.expectEnd()
	expectRecord(t, p,
		passed(1, 1, "+OK\r\n", "PING"),
		Exchange{
			Command: Command{Seq: 2, Conn: 1}, Answered: true, Reply: denied,
			Fate: Unasked, Problem: "server sent a reply that no command asked for",
		})
}

func TestServerHangsUp(t *testing.T) {
	p := startFake(t, func(s *peer) { s.expectArgs() })
	c := dial(t, p)
	c.send("INCR", "n")
	c.expectEnd()
	await(t, p, func(all []Exchange) bool { return all[0].Problem != "" })
	expectRecord(t, p, incr(1).but(func(x *Exchange) {
		x.Answered, x.Reply, x.Delivered, x.Problem = false, "", false, "no answer: server closed the connection"
	}))
}

func TestServerCannotBeReached(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	p := startProxy(t, listener.Addr().String())
	c := dial(t, p)
	c.send("PING")
	c.expectEnd()
	await(t, p, func(all []Exchange) bool { return len(all) == 1 && all[0].Fate == Dropped })
	if x := p.Exchanges()[0]; x.Forwarded || !strings.Contains(x.Problem, "refused") {
		t.Errorf("%#v", x)
	}
}

// A server that comes back is called anew by the next connection.
func TestServerRestarts(t *testing.T) {
	redis := miniredis.RunT(t)
	p := startProxy(t, redis.Addr())
	trap := p.Trap(BeforeServer, named("INCR"))
	idle, held := dial(t, p), dial(t, p)
	idle.send("PING")
	idle.expect("+PONG\r\n")
	held.send("PING")
	held.expect("+PONG\r\n")
	held.send("INCR", "n")
	caught := next(t, trap)
	redis.Close()
	idle.expectEnd()
	held.expectEnd()
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	caught.Release() // its connection is lost, and the command with it
	if _, err := caught.Answered(within(t)); err == nil {
		t.Error("answered over a lost connection")
	}
	again := dial(t, p)
	again.send("EXISTS", "n")
	again.expect(":0\r\n")
}

// A command of which the server took a part only was not forwarded.
func TestServerHangsUpWithinACommand(t *testing.T) {
	p := startFake(t, func(s *peer) { _, _ = s.in.ReadByte() })
	c := dial(t, p)
	c.send("SET", "k", strings.Repeat("a", 32<<20))
	c.expectEnd()
	await(t, p, func(all []Exchange) bool { return len(all) == 1 && all[0].Problem != "" })
	if x := p.Exchanges()[0]; x.Forwarded || x.Fate != Dropped {
		x.Args = nil
		t.Errorf("%#v", x)
	}
}
