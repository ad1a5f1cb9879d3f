package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

const (
	// A port that Docker has published answers at once; the rest is for a machine that is busy.
	reachTimeout = 3 * time.Second
	pingTimeout  = time.Second
	pingPause    = 20 * time.Millisecond
)

// reach returns the first address at which Redis answers.
func reach(ctx context.Context, addrs []string) (string, error) {
	var errs []error
	for _, addr := range addrs {
		err := pingUntil(ctx, addr)
		if err == nil {
			return addr, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", addr, err))
	}
	return "", fmt.Errorf("redis answers PING at none of its addresses: %w", errors.Join(errs...))
}

// pingUntil repeats because a published port may refuse for a moment after the server is ready.
func pingUntil(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	pause := time.NewTicker(pingPause)
	defer pause.Stop()
	for {
		err := ping(ctx, addr)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-pause.C:
		}
	}
}

// ping speaks the protocol by hand: a client library would retry, and would keep the connection.
func ping(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(conn, "PING\r\n"); err != nil {
		return err
	}
	const pong = "+PONG\r\n"
	answer := make([]byte, len(pong))
	if _, err := io.ReadFull(conn, answer); err != nil {
		return fmt.Errorf("read the answer to PING: %w", err)
	}
	if string(answer) != pong {
		return fmt.Errorf("answered PING with %q, not with %q", answer, pong)
	}
	return nil
}
