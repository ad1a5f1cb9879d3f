package wire

import (
	"context"
	"fmt"
	"net"
)

// Ground is the network in which a proxy's program is: this machine's own, or that of a
// container. All connections are TCP (*net.TCPConn).
type Ground interface {
	// Listen opens a host:port there. It may be called again when the listener has been closed.
	Listen(addr string) (net.Listener, error)
	// Dial connects to a host:port as a program there would.
	Dial(ctx context.Context, addr string) (net.Conn, error)
}

// here is this machine's own network.
type here struct{}

func (here) Listen(addr string) (net.Listener, error) { return net.Listen("tcp", addr) }

func (here) Dial(ctx context.Context, addr string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "tcp", addr)
}

// Dial connects to the proxy as its program would.
func (p *Proxy) Dial(ctx context.Context) (net.Conn, error) {
	conn, err := p.ground.Dial(ctx, p.Addr())
	if err != nil {
		return nil, fmt.Errorf("wire: connect to %s: %w", p.Addr(), err)
	}
	return conn, nil
}
