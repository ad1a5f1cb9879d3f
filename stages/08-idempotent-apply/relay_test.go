package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// What a relay does to one command.
type fault int

const (
	pass         fault = iota // send it on, and its reply back
	dropReply                 // it is executed, then the connection breaks
	swallowReply              // it is executed, and its reply never comes
	breakOff                  // it is not executed, and the connection breaks
)

// relay stands between a client and its Redis, sees every command, and can do
// to it what networks do.
type relay struct {
	url   string
	fault func(command []string) fault // called for every command before it is sent on; may wait

	mu   sync.Mutex
	seen [][]string
}

func newRelay(t *testing.T, upstream *store, fault func(command []string) fault) *relay {
	t.Helper()
	r := &relay{fault: fault}
	addr := upstream.Options().Addr
	listener := serveTCP(t, func(ctx context.Context, client net.Conn) {
		server, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		defer context.AfterFunc(ctx, func() { server.Close() })()
		defer server.Close()
		fromClient, fromServer := bufio.NewReader(client), bufio.NewReader(server)
		for {
			command, err := readCommand(fromClient)
			if err != nil {
				return
			}
			r.mu.Lock()
			r.seen = append(r.seen, command)
			r.mu.Unlock()
			what := r.fault(command)
			if what == breakOff {
				return
			}
			var reply bytes.Buffer
			writeCommand(server, command)
			if err := readReply(fromServer, &reply); err != nil || what == dropReply {
				return
			}
			if what == swallowReply {
				continue
			}
			if _, err := client.Write(reply.Bytes()); err != nil {
				return
			}
		}
	})
	r.url = fmt.Sprintf("redis://%s/%d", listener, upstream.Options().DB)
	return r
}

// calls are the commands that ran the script, by its digest or by its source.
func (r *relay) calls(s script) (bySHA, bySource int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, command := range r.seen {
		switch {
		case isCall(command, s) && strings.EqualFold(command[0], "EVALSHA"):
			bySHA++
		case isCall(command, s):
			bySource++
		}
	}
	return bySHA, bySource
}

func isCall(command []string, s script) bool {
	if len(command) < 2 {
		return false
	}
	source, _ := luaFiles.ReadFile("lua/" + s.name + ".lua")
	return strings.EqualFold(command[0], "EVALSHA") && command[1] == s.lua.Hash() ||
		strings.EqualFold(command[0], "EVAL") && command[1] == string(source)
}

// once is a fault that befalls the first call of the script only.
func once(s script, what fault) func([]string) fault {
	var first sync.Once
	return func(command []string) fault {
		answer := pass
		if isCall(command, s) {
			first.Do(func() { answer = what })
		}
		return answer
	}
}

// load puts the script into the server's cache, so that the next call of it is
// one EVALSHA.
func (s *store) load(t *testing.T, scripts ...script) {
	t.Helper()
	for _, script := range scripts {
		must(t, script.lua.Load(t.Context(), s.Client).Err())
	}
}

// fakeRedis gives every command the same answer, such as "-LOADING ...".
func fakeRedis(t *testing.T, answer string) (addr string) {
	t.Helper()
	return serveTCP(t, func(_ context.Context, client net.Conn) {
		r := bufio.NewReader(client)
		for {
			if _, err := readCommand(r); err != nil {
				return
			}
			if _, err := io.WriteString(client, answer+"\r\n"); err != nil {
				return
			}
		}
	})
}

// silentRedis accepts connections and never says a word.
func silentRedis(t *testing.T) (addr string) {
	t.Helper()
	return serveTCP(t, func(_ context.Context, client net.Conn) { _, _ = io.Copy(io.Discard, client) })
}

// noRedis is an address at which nobody listens.
func noRedis(t *testing.T) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, listener.Close())
	return listener.Addr().String()
}

// serveTCP serves each connection with handle until the test ends, and then
// waits for all of them.
func serveTCP(t *testing.T, handle func(context.Context, net.Conn)) (addr string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var (
		serving sync.WaitGroup
		mu      sync.Mutex
		open    []net.Conn
		closed  bool
	)
	serving.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, conn)
			if closed {
				conn.Close()
			}
			mu.Unlock()
			serving.Go(func() {
				defer conn.Close()
				handle(ctx, conn)
			})
		}
	})
	t.Cleanup(func() {
		cancel()
		listener.Close()
		mu.Lock()
		closed = true
		for _, conn := range open {
			conn.Close()
		}
		mu.Unlock()
		serving.Wait()
	})
	return listener.Addr().String()
}

func readCommand(r *bufio.Reader) ([]string, error) {
	n, err := readCount(r, '*')
	if err != nil {
		return nil, err
	}
	command := make([]string, n)
	for i := range command {
		size, err := readCount(r, '$')
		if err != nil {
			return nil, err
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(r, word); err != nil {
			return nil, err
		}
		command[i] = string(word[:size])
	}
	return command, nil
}

func readCount(r *bufio.Reader, kind byte) (int, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if line[0] != kind {
		return 0, fmt.Errorf("not RESP: %q", line)
	}
	return strconv.Atoi(strings.TrimSpace(line[1:]))
}

func writeCommand(w io.Writer, command []string) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "*%d\r\n", len(command))
	for _, word := range command {
		fmt.Fprintf(&out, "$%d\r\n%s\r\n", len(word), word)
	}
	_, _ = w.Write(out.Bytes()) // a broken connection shows at the reply
}

// readReply copies one whole reply, RESP2 or RESP3, without understanding it.
func readReply(r *bufio.Reader, out *bytes.Buffer) error {
	line, err := r.ReadString('\n')
	if err != nil {
		return err
	}
	out.WriteString(line)
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch {
	case slices.Contains([]byte("$=!"), line[0]) && n >= 0:
		_, err := io.CopyN(out, r, int64(n)+2)
		return err
	case line[0] == '%':
		n *= 2
	case !slices.Contains([]byte("*~>"), line[0]):
		n = 0
	}
	for ; n > 0; n-- {
		if err := readReply(r, out); err != nil {
			return err
		}
	}
	return nil
}
