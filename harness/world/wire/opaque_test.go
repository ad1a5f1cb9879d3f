package wire

import (
	"testing"
)

func TestOpaqueCommands(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want bool
	}{
		{[]string{"subscribe", "a"}, true}, {[]string{"PSUBSCRIBE", "a*"}, true}, {[]string{"SSUBSCRIBE", "a"}, true},
		{[]string{"MONITOR"}, true}, {[]string{"SYNC"}, true}, {[]string{"PSYNC", "?", "-1"}, true},
		{[]string{"CLIENT", "reply", "off"}, true}, {[]string{"CLIENT", "REPLY", "SKIP"}, true},
		{[]string{"CLIENT", "REPLY", "ON"}, false}, {[]string{"CLIENT", "ID"}, false},
		{[]string{"PUBLISH", "a", "b"}, false}, {[]string{"UNSUBSCRIBE"}, false}, {nil, false},
	} {
		if got := (Command{Args: tt.args}).turnsOpaque(); got != tt.want {
			t.Errorf("%q opaque: %v", tt.args, got)
		}
	}
}

// Bytes go both ways, the commands are in the record, and no trap sees them.
func TestSubscribedConnection(t *testing.T) {
	p, _ := start(t)
	c, publisher := dial(t, p), dial(t, p)
	c.send("PING")
	c.send("SUBSCRIBE", "news")
	c.expect("+PONG\r\n")
	c.expect("*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n")
	p.Trap(AfterServer, named("UNSUBSCRIBE"))
	p.Trap(BeforeServer, named("UNSUBSCRIBE"))
	publisher.send("PUBLISH", "news", "hello")
	publisher.expect(":1\r\n")
	c.expect("*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n")
	c.send("UNSUBSCRIBE", "news")
	c.expect("*3\r\n$11\r\nunsubscribe\r\n$4\r\nnews\r\n:0\r\n")
	expectRecord(t, p,
		passed(1, 1, "+PONG\r\n", "PING"),
		Exchange{Command: Command{Seq: 2, Conn: 1, Args: []string{"SUBSCRIBE", "news"}}, Forwarded: true, Fate: Opaque},
		passed(3, 2, ":1\r\n", "PUBLISH", "news", "hello"),
		Exchange{Command: Command{Seq: 4, Conn: 1, Args: []string{"UNSUBSCRIBE", "news"}}, Forwarded: true, Fate: Opaque},
	)
}

// The command that would make a connection opaque can still be caught.
func TestSubscribeIsCaughtBeforeServer(t *testing.T) {
	p, _ := start(t)
	trap := p.Trap(BeforeServer, named("SUBSCRIBE"))
	c := dial(t, p)
	c.send("SUBSCRIBE", "news")
	next(t, trap).Cut()
	c.expectEnd()
}

func TestRepliesSwitchedOff(t *testing.T) {
	p := startFake(t, func(s *peer) {
		s.expectArgs() // CLIENT REPLY OFF, without an answer
		s.expectArgs() // INCR, without an answer
		s.expectArgs()
		s.raw("+OK\r\n") // CLIENT REPLY ON
		s.expectEnd()
	})
	c := dial(t, p)
	c.send("CLIENT", "REPLY", "OFF")
	c.send("INCR", "n")
	c.send("CLIENT", "REPLY", "ON")
	c.expect("+OK\r\n")
	for _, x := range p.Exchanges() {
		if x.Fate != Opaque || !x.Forwarded || x.Answered {
			t.Errorf("%#v", x)
		}
	}
}

func TestOpaqueConnectionInOutages(t *testing.T) {
	p, redis := start(t)
	hung, faked := dial(t, p), dial(t, p)
	subscribe := func(c *peer) {
		c.send("SUBSCRIBE", "news")
		c.expect("*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n")
	}
	subscribe(faked)
	if err := p.AnswerAll("LOADING wait"); err != nil {
		t.Fatal(err)
	}
	faked.send("UNSUBSCRIBE")
	faked.expectEnd()
	if err := p.Pass(); err != nil {
		t.Fatal(err)
	}
	subscribe(hung)
	if err := p.Hang(); err != nil {
		t.Fatal(err)
	}
	redis.Publish("news", "unheard")
	hung.send("UNSUBSCRIBE")
	await(t, p, func(all []Exchange) bool { return all[len(all)-1].Fate == Hung })
	if err := p.Pass(); err != nil {
		t.Fatal(err)
	}
	hung.expectEnd()
}
