package wire

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2/proto"
)

func TestPlainCommands(t *testing.T) {
	p, redis := start(t)
	c := dial(t, p)
	c.send("SET", "stock:lamp", "8")
	c.expect("+OK\r\n")
	c.send("INCRBY", "stock:lamp", "12")
	c.expect(":20\r\n")
	c.send("NOSUCH")
	c.expect("-ERR unknown command `NOSUCH`, with args beginning with: \r\n")
	redis.CheckGet(t, "stock:lamp", "20")
	expectRecord(t, p,
		passed(1, 1, "+OK\r\n", "SET", "stock:lamp", "8"),
		passed(2, 1, ":20\r\n", "INCRBY", "stock:lamp", "12"),
		passed(3, 1, "-ERR unknown command `NOSUCH`, with args beginning with: \r\n", "NOSUCH"),
	)
}

// miniredis knows no inline commands. Redis does, and answers empty ones with
// nothing, so that the proxy must not wait for a reply to them.
func TestInlineCommands(t *testing.T) {
	p := startFake(t, func(s *peer) {
		for args := s.expectArgs(); args != nil; args = s.expectArgs() {
			s.raw(proto.Strings(args...))
		}
	})
	c := dial(t, p)
	c.raw("PING\r\n\r\n*0\r\nECHO \"a b\"\n")
	c.expect(proto.Strings("PING"))
	c.expect(proto.Strings("ECHO", "a b"))
	expectRecord(t, p,
		passed(1, 1, proto.Strings("PING"), "PING"),
		passed(2, 1, proto.Strings("ECHO", "a b"), "ECHO", "a b"),
	)
}

func TestPipeline(t *testing.T) {
	p, _ := start(t)
	c := dial(t, p)
	var batch strings.Builder
	for range 100 {
		_ = proto.Write(&batch, []string{"INCR", "n"})
	}
	c.raw(batch.String())
	for i := range 100 {
		c.expect(fmt.Sprintf(":%d\r\n", i+1))
	}
	for i, x := range p.Exchanges() {
		if want := fmt.Sprintf(":%d\r\n", i+1); x.Seq != i+1 || x.Reply != want || !x.Delivered {
			t.Fatalf("exchange %d: %#v", i, x)
		}
	}
}

func TestBigAndBinaryValues(t *testing.T) {
	for name, value := range map[string]string{
		"1 MiB":  strings.Repeat("0123456789abcdef", 1<<16),
		"binary": "\x00\r\n$5\r\n\xff\xfe*1\r\n",
		"empty":  "",
	} {
		t.Run(name, func(t *testing.T) {
			p, redis := start(t)
			c := dial(t, p)
			c.send("SET", value+"key", value)
			c.expect("+OK\r\n")
			c.send("GET", value+"key")
			c.expect(proto.String(value))
			redis.CheckGet(t, value+"key", value)
		})
	}
}

func TestBlockingCommand(t *testing.T) {
	p, _ := start(t)
	worker, client := dial(t, p), dial(t, p)
	worker.send("BLPOP", "jobs", "0")
	worker.send("GET", "after")
	await(t, p, func(all []Exchange) bool { return len(all) == 2 && all[0].Forwarded })
	client.send("SET", "after", "1")
	client.expect("+OK\r\n")
	if x := p.Exchanges()[0]; x.Answered {
		t.Fatalf("answered too early: %#v", x)
	}
	client.send("RPUSH", "jobs", "job-1")
	client.expect(":1\r\n")
	worker.expect(proto.Strings("jobs", "job-1"))
	worker.expect(proto.String("1"))
}

func TestTransaction(t *testing.T) {
	p, redis := start(t)
	c := dial(t, p)
	trap := p.Trap(BeforeServer, func(c Command) bool {
		return c.Name() == "EXEC" && c.Touches("stock:")
	})
	for _, args := range [][]string{
		{"MULTI"}, {"SET", "other", "1"}, {"EXEC"}, // not caught
		{"MULTI"}, {"INCR", "stock:lamp"}, {"DISCARD"},
		{"MULTI"}, {"INCRBY", "stock:lamp", "2"}, {"INCR", "stock:pencil"},
	} {
		c.send(args...)
		if args[0] == "EXEC" {
			c.expect("*1\r\n+OK\r\n")
		} else if args[0] == "MULTI" || args[0] == "DISCARD" {
			c.expect("+OK\r\n")
		} else {
			c.expect("+QUEUED\r\n")
		}
	}
	c.send("EXEC")
	caught := next(t, trap)
	if redis.Exists("stock:lamp") {
		t.Error("EXEC reached the server")
	}
	caught.Release()
	c.expect("*2\r\n:2\r\n:1\r\n")
	c.send("GET", "stock:lamp")
	c.expect("$1\r\n2\r\n")

	all := p.Exchanges()
	want := passed(10, 1, "*2\r\n:2\r\n:1\r\n", "EXEC")
	want.Queued = []Command{all[7].Command, all[8].Command}
	expectRecord(t, p, append(all[:9:9], want, all[10])...)
	if all[9].Queued[0].String() != "INCRBY stock:lamp 2" || all[2].Queued[0].Args[1] != "other" {
		t.Errorf("queued: %v, %v", all[9].Queued, all[2].Queued)
	}
}

func TestManyConnections(t *testing.T) {
	p, redis := start(t)
	var clients sync.WaitGroup
	for range 20 {
		c := dial(t, p)
		clients.Go(func() {
			for range 50 {
				c.send("INCR", "n")
				if _, err := readReply(&rawReader{in: c.in}); err != nil {
					t.Error(err)
				}
			}
			_ = c.Close()
		})
	}
	clients.Wait()
	redis.CheckGet(t, "n", strconv.Itoa(20*50))
	awaitOpen(t, p, 0)
	if _, total := p.Connections(); total != 20 {
		t.Errorf("%d connections in all, want 20", total)
	}
	seen := map[int]int{}
	for i, x := range p.Exchanges() {
		seen[x.Conn]++
		if x.Seq != i+1 || !x.Delivered {
			t.Fatalf("exchange %d: %#v", i, x)
		}
	}
	if len(seen) != 20 || seen[1] != 50 || seen[20] != 50 {
		t.Errorf("commands by connection: %v", seen)
	}
}

// The snapshot is the caller's own.
func TestExchangesAreCopies(t *testing.T) {
	p, _ := start(t)
	c := dial(t, p)
	c.send("SET", "k", "v")
	c.expect("+OK\r\n")
	p.Exchanges()[0].Args[0] = "changed"
	expectRecord(t, p, passed(1, 1, "+OK\r\n", "SET", "k", "v"))
}

func TestListenRefusesBadTarget(t *testing.T) {
	if _, err := Listen("nowhere"); err == nil {
		t.Error("no error for a target without a port")
	}
}
