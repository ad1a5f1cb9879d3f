package wire

import (
	"context"
	"net"
	"sync"
)

// conn is one connection of the program, with its own connection to the server.
type conn struct {
	proxy   *Proxy
	number  int
	client  *net.TCPConn
	cancel  context.CancelFunc
	queue   *fifo[*request] // read from the client, not yet forwarded
	pending *fifo[*request] // forwarded, not yet answered

	mu     sync.Mutex // guards what follows
	server *net.TCPConn
	gone   bool // the client's socket is closed
	why    *stopped
	muted  bool // replies are recorded but not delivered
	opaque bool

	writing sync.Mutex // one reply at a time to the client
}

// stopped says that a connection forwards no more commands, and what becomes of
// those that still come.
type stopped struct {
	fate    Fate
	problem string
}

// request is a command on its way through the goroutines of its connection.
type request struct {
	*entry
	raw       []byte
	written   chan struct{}  // closed when it is known whether raw could be written
	malformed error          // it is no command, and why
	asked     [moments]int   // number of the last trap asked
	claimed   [moments]*Trap // the trap that matched
}

// newConn returns the context too that ends when the connection is killed.
func newConn(p *Proxy, number int, client *net.TCPConn) (*conn, context.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	return &conn{
		proxy: p, number: number, client: client, cancel: cancel,
		queue: newFIFO[*request](), pending: newFIFO[*request](),
	}, ctx
}

// serve returns when both directions have ended and all exchanges are finished.
func (c *conn) serve(ctx context.Context) {
	var tasks sync.WaitGroup
	tasks.Go(c.readClient)
	tasks.Go(func() {
		f := forwarder{conn: c, tasks: &tasks}
		f.run(ctx)
	})
	tasks.Wait()
	c.kill(false)
}

// kill ends both sides at once, with a TCP reset to the client if asked to.
func (c *conn) kill(reset bool) {
	c.stop(Dropped, "connection closed by the proxy")
	c.cancel()
	if reset {
		_ = c.client.SetLinger(0)
	}
	c.closeClient()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server != nil {
		_ = c.server.Close()
	}
}

// closeClient closes the client's side only: the server may still answer, and
// what is held may still be forwarded.
func (c *conn) closeClient() {
	c.mu.Lock()
	c.gone = true
	c.mu.Unlock()
	_ = c.client.Close() // a second close is harmless
	c.proxy.news.spread()
}

// adopt makes server the one that kill closes, or closes it if it comes too late.
func (c *conn) adopt(ctx context.Context, server *net.TCPConn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		_ = server.Close()
		return err
	}
	c.server = server
	return nil
}

// stop makes later commands meet this fate instead of being forwarded. The first
// reason stays.
func (c *conn) stop(fate Fate, problem string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.why == nil {
		c.why = &stopped{fate, problem}
	}
}

func (c *conn) whyStopped() *stopped {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.why
}

func (c *conn) isGone() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone
}

// mute keeps all further replies from the client.
func (c *conn) mute() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.muted = true
}

// silent says whether nothing may be written to the client any more.
func (c *conn) silent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gone || c.muted
}

func (c *conn) turnOpaque() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opaque = true
}

func (c *conn) isOpaque() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opaque
}
