package engine

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// tunnel offers a TLS server on a plain local port.
type tunnel struct {
	listener net.Listener
	dial     func(context.Context) (net.Conn, error)
	cancel   context.CancelFunc
	running  sync.WaitGroup
}

// openTunnel proves the TLS handshake once before it listens: a certificate that is refused should
// be told as that, and not as a connection that closes.
func openTunnel(ctx context.Context, target string, config *tls.Config) (*tunnel, error) {
	dialer := &tls.Dialer{Config: config}
	dial := func(ctx context.Context) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
		defer cancel()
		return dialer.DialContext(ctx, "tcp", target)
	}
	probe, err := dial(ctx)
	if err != nil {
		return nil, &unavailable{what: "connect with TLS", cause: err}
	}
	probe.Close()

	var local net.ListenConfig
	listener, err := local.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the plain side of TLS: %w", err)
	}
	// The tunnel outlives Open, so only close ends it.
	lifetime, cancel := context.WithCancel(context.WithoutCancel(ctx))
	t := &tunnel{listener: listener, dial: dial, cancel: cancel}
	t.running.Go(func() { t.accept(lifetime) })
	return t, nil
}

func (t *tunnel) addr() string { return t.listener.Addr().String() }

func (t *tunnel) accept(ctx context.Context) {
	for {
		plain, err := t.listener.Accept()
		if err != nil {
			return
		}
		t.running.Go(func() { t.carry(ctx, plain) })
	}
}

// carry ends when either side does, or when the tunnel closes. A server that cannot be reached
// looks to the program like one that hangs up, which is what it is.
func (t *tunnel) carry(ctx context.Context, plain net.Conn) {
	defer plain.Close()
	secure, err := t.dial(ctx)
	if err != nil {
		return
	}
	hangUp := sync.OnceFunc(func() {
		plain.Close()
		secure.Close()
	})
	defer context.AfterFunc(ctx, hangUp)()

	var directions sync.WaitGroup
	for _, pair := range [][2]net.Conn{{plain, secure}, {secure, plain}} {
		directions.Go(func() {
			defer hangUp()
			_, _ = io.Copy(pair[0], pair[1]) // how a connection ended is the two ends' business
		})
	}
	directions.Wait()
}

func (t *tunnel) close(context.Context) error {
	err := t.listener.Close()
	t.cancel()
	t.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
