package program

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// FirstLine returns the first line of stdout, sanitised, as soon as it is there.
// It returns an *ExitError if the program ends before printing one, and
// ErrNoLine together with ctx's error, both wrapped, if ctx ends first.
func (p *Process) FirstLine(ctx context.Context) (string, error) {
	l, err := p.await(ctx, p.stdout, func(Line) bool { return true }, "its first line")
	var exited *ExitError
	switch {
	case err == nil:
		return l.Text, nil
	case errors.As(err, &exited):
		return "", err
	default:
		return "", fmt.Errorf("await the first line of %s: %w: %w", p.name, ErrNoLine, err)
	}
}

// Listening returns the base URL, "http://HOST:PORT" without a slash at its end,
// that the program says it listens on in its first line, or the one at which that is
// reached from here if the program is in a place of its own. It returns the errors
// of FirstLine, and a *WrongLineError if the line says anything else.
func (p *Process) Listening(ctx context.Context) (url string, err error) {
	line, err := p.FirstLine(ctx)
	if err != nil {
		return "", err
	}
	url, ok := parseListening(line)
	if !ok {
		return "", &WrongLineError{Name: p.name, Line: line}
	}
	if url, err = p.place.Publish(url); err != nil {
		return "", fmt.Errorf("reach %s: %w", p.name, err)
	}
	return url, nil
}

var hostName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)

// parseListening is strict: the line is a promise to other programs, and a
// harness that forgave a stray word would teach that such a promise may drift.
func parseListening(line string) (url string, ok bool) {
	addr, ok := strings.CutPrefix(line, "listening on http://")
	if !ok {
		return "", false
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", false
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Zone() == "" {
		host = ip.String()
	} else if !hostName.MatchString(host) {
		return "", false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != port {
		return "", false
	}
	if addr != net.JoinHostPort(host, port) {
		return "", false // such as [localhost]:80
	}
	return "http://" + addr, true
}
