package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/proto"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait of a test; a test that holds never uses it up.
const patience = 20 * time.Second

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func startProxy(t *testing.T, target string) *Proxy {
	t.Helper()
	p, err := Listen(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
		for _, x := range p.Exchanges() {
			if x.Fate == Waiting || x.Fate == Held {
				t.Errorf("undecided after Close: %s is %s", x, x.Fate)
			}
		}
	})
	return p
}

// start gives a proxy before an in-process Redis.
func start(t *testing.T) (*Proxy, *miniredis.Miniredis) {
	t.Helper()
	redis := miniredis.RunT(t)
	return startProxy(t, redis.Addr()), redis
}

// startFake gives a proxy before a server that does what serve says with each
// connection. serve must return when its connection ends.
func startFake(t *testing.T, serve func(*peer)) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			serve(&peer{t: t, Conn: c, in: bufio.NewReader(c)})
			_ = c.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return startProxy(t, listener.Addr().String())
}

// peer is one end of a connection that speaks raw RESP.
type peer struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func dial(t *testing.T, p *Proxy) *peer {
	t.Helper()
	c, err := net.Dial("tcp", p.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(patience))
	return &peer{t: t, Conn: c, in: bufio.NewReader(c)}
}

func (c *peer) raw(bytes string) {
	c.t.Helper()
	if _, err := io.WriteString(c, bytes); err != nil {
		c.t.Errorf("write: %v", err)
	}
}

func (c *peer) send(args ...string) {
	c.t.Helper()
	if err := proto.Write(c, args); err != nil {
		c.t.Errorf("write: %v", err)
	}
}

// expect reads one value.
func (c *peer) expect(want string) {
	c.t.Helper()
	got, err := readReply(&rawReader{in: c.in})
	if err != nil {
		c.t.Fatalf("read: %v, want %.80q", err, want)
	}
	if diff := cmp.Diff(want, got.raw); diff != "" {
		c.t.Fatalf("reply (-want +got):\n%.2000s", diff)
	}
}

// expectEnd reads the end of the connection, and nothing before it.
func (c *peer) expectEnd() {
	c.t.Helper()
	rest, err := io.ReadAll(c.in)
	if len(rest) > 0 {
		c.t.Fatalf("read %q, want the end of the connection", rest)
	}
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() {
		c.t.Fatal("connection still open")
	}
}

// expectArgs reads one command as a server.
func (c *peer) expectArgs() []string {
	args, err := readCommand(&rawReader{in: c.in})
	if err != nil {
		return nil
	}
	return args
}

// next takes one command out of a trap.
func next(t *testing.T, trap *Trap) *Caught {
	t.Helper()
	caught, err := trap.Next(within(t))
	if err != nil {
		t.Fatal(err)
	}
	return caught
}

func named(name string) func(Command) bool {
	return func(c Command) bool { return c.Name() == name }
}

// await waits for the record to say something.
func await(t *testing.T, p *Proxy, condition func([]Exchange) bool) {
	t.Helper()
	if err := p.Await(within(t), func() bool { return condition(p.Exchanges()) }); err != nil {
		t.Fatalf("%v\nrecord: %#v", err, p.Exchanges())
	}
}

func awaitOpen(t *testing.T, p *Proxy, want int) {
	t.Helper()
	err := p.Await(within(t), func() bool { open, _ := p.Connections(); return open == want })
	if err != nil {
		t.Fatalf("wait for %d connections: %v", want, err)
	}
}

// expectRecord compares all exchanges but for their times.
func expectRecord(t *testing.T, p *Proxy, want ...Exchange) {
	t.Helper()
	got := p.Exchanges()
	for i, x := range got {
		if x.Read.IsZero() || x.Sent.IsZero() == x.Forwarded || x.Replied.IsZero() == x.Answered {
			t.Errorf("times of %d do not fit: %#v", i, x)
		}
	}
	times := cmpopts.IgnoreFields(Exchange{}, "Read", "Sent", "Replied")
	if diff := cmp.Diff(want, got, times, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

// passed is an exchange as if there were no proxy.
func passed(seq, conn int, reply string, args ...string) Exchange {
	return Exchange{
		Command:   Command{Seq: seq, Conn: conn, Args: args},
		Forwarded: true, Answered: true, Reply: reply, Delivered: true, Fate: Passed,
	}
}

// but is x with a change.
func (x Exchange) but(change func(*Exchange)) Exchange {
	change(&x)
	return x
}
