package wire

import (
	"fmt"
	"strings"
)

type modeKind int

const (
	passing modeKind = iota
	refusing
	hanging
	faking
)

// mode is how the proxy treats commands that no trap decides on.
type mode struct {
	kind  modeKind
	error string // for faking: the whole RESP error
}

// Pass makes the proxy forward again. Coming from Refuse it listens on the same
// port, and fails if another process took that meanwhile. Coming from Hang it
// closes the connections that lived through it: their clients were left without
// an answer and would take the next reply for it.
func (p *Proxy) Pass() error { return p.enter(mode{kind: passing}) }

// Hang makes the proxy accept and read but forward nothing and answer nothing, on
// new and existing connections. Replies that are still on their way from the
// server are recorded and not delivered.
func (p *Proxy) Hang() error { return p.enter(mode{kind: hanging}) }

// AnswerAll makes the proxy answer every command itself, with this RESP error and
// without asking the server. The line has no '-' in front, for example "LOADING
// Redis is loading the dataset in memory". It answers the handshake (HELLO, AUTH)
// too. Commands that the server is working on get their real reply first. Opaque
// connections are closed at their next command: there is no place in the stream
// of copied bytes where an error would surely be read as its answer.
func (p *Proxy) AnswerAll(errorLine string) error {
	line := strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimPrefix(errorLine, "-"))
	return p.enter(mode{kind: faking, error: "-" + line + "\r\n"})
}

// Refuse makes new connections fail with a real "connection refused" and resets
// the existing ones. Commands held there are cut.
func (p *Proxy) Refuse() error {
	p.switching.Lock()
	defer p.switching.Unlock()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return fmt.Errorf("wire: refuse connections on %s: %w", p.addr, ErrClosed)
	}
	p.mode = mode{kind: refusing}
	p.mu.Unlock()
	if err := p.hangUp(true); err != nil {
		return fmt.Errorf("wire: refuse connections on %s: %w", p.addr, err)
	}
	return nil
}

// enter switches to a mode in which the proxy listens.
func (p *Proxy) enter(next mode) error {
	p.switching.Lock()
	defer p.switching.Unlock()
	condemned, err := p.switchTo(next)
	for _, c := range condemned {
		c.closeClient()
	}
	return err
}

// switchTo returns the connections that must not live on. It stops them in the
// same moment as it changes the mode, so that none of their commands slips
// through in between.
func (p *Proxy) switchTo(next mode) ([]*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("wire: change the mode of %s: %w", p.addr, ErrClosed)
	}
	if p.listener == nil {
		if err := p.listen(); err != nil {
			return nil, err
		}
	}
	last := p.mode
	p.mode = next
	if last.kind != hanging || next.kind == hanging {
		return nil, nil
	}
	var condemned []*conn
	for c := range p.conns {
		c.stop(Dropped, "connection closed after it had hung")
		condemned = append(condemned, c)
	}
	return condemned, nil
}

// stance is the mode and whether c forwards no more, both of one moment.
func (p *Proxy) stance(c *conn) (mode, *stopped) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode, c.whyStopped()
}
