package wire

import (
	"strings"
	"testing"
)

// miniredis cannot send most of these types; a server that only plays them can.
func TestRESP3Types(t *testing.T) {
	replies := []string{}
	for _, raw := range rawValues {
		if raw[0] != '>' {
			replies = append(replies, raw)
		}
	}
	p := startFake(t, func(s *peer) {
		for _, raw := range replies {
			s.expectArgs()
			s.raw(raw)
		}
		s.expectEnd()
	})
	c := dial(t, p)
	for _, raw := range replies {
		c.send("GET", raw)
		c.expect(raw)
	}
	for i, x := range p.Exchanges() {
		if x.Reply != replies[i] || !x.Delivered {
			t.Errorf("exchange %d: %#v, want reply %q", i, x, replies[i])
		}
	}
}

// A push message answers no command, wherever it comes.
func TestPushMessages(t *testing.T) {
	const push = ">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n"
	alone := make(chan struct{})
	p := startFake(t, func(s *peer) {
		s.expectArgs()
		s.raw("%1\r\n$5\r\nproto\r\n:3\r\n")
		s.expectArgs()
		s.raw(push + "$1\r\n1\r\n" + push)
		<-alone
		s.raw(push)
		s.expectEnd()
	})
	c := dial(t, p)
	c.send("HELLO", "3")
	c.expect("%1\r\n$5\r\nproto\r\n:3\r\n")
	c.send("GET", "k")
	c.expect(push)
	c.expect("$1\r\n1\r\n")
	c.expect(push)
	close(alone)
	c.expect(push)
	expectRecord(t, p,
		passed(1, 1, "%1\r\n$5\r\nproto\r\n:3\r\n", "HELLO", "3"),
		passed(2, 1, "$1\r\n1\r\n", "GET", "k"))
}

// Messages that come while a reply is held keep their place behind it.
func TestPushBehindAHeldReply(t *testing.T) {
	const push = ">1\r\n+news\r\n"
	p := startFake(t, func(s *peer) {
		s.expectArgs()
		s.raw(":1\r\n" + push)
		s.expectEnd()
	})
	trap := p.Trap(AfterServer, nil)
	c := dial(t, p)
	c.send("INCR", "n")
	next(t, trap).Release()
	c.expect(":1\r\n")
	c.expect(push)
}

func TestBigReplyOfManyElements(t *testing.T) {
	big := "*100000\r\n" + strings.Repeat("$3\r\nabc\r\n", 100000)
	p := startFake(t, func(s *peer) {
		s.expectArgs()
		s.raw(big)
		s.expectEnd()
	})
	c := dial(t, p)
	c.send("LRANGE", "l", "0", "-1")
	c.expect(big)
}
