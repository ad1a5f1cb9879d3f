package world

import (
	"context"
	"errors"
	"fmt"

	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/wire"
)

// Place is where one program runs that is not to run among this machine's own processes,
// with a network in which its proxy listens.
type Place interface {
	program.Place
	wire.Ground
	// Redis is the host:port at which the program is to find its Redis.
	Redis() string
	// Discard gives the place back. It may be called again, and after the program's end.
	Discard()
}

// proxied opens the proxy of a program, in the program's place if it has one, in the state
// that begin brings it to.
func (w *World) proxied(ctx context.Context, begin func(*wire.Proxy) error) (Place, *wire.Proxy, error) {
	if w.Take == nil {
		proxy, err := wire.Listen(w.Engine.Addr())
		if err == nil {
			err = begin(proxy)
		}
		return nil, proxy, err
	}
	over := w.waits()
	place, err := w.Take(ctx)
	over()
	if err != nil {
		return nil, nil, err
	}
	proxy, err := wire.ListenOn(place, place.Redis(), w.Engine.Addr())
	if err != nil {
		place.Discard()
		return nil, nil, err
	}
	if err := begin(proxy); err != nil {
		place.Discard()
		return nil, nil, errors.Join(err, proxy.Close())
	}
	return place, proxy, nil
}

// straight is what starts a command without a proxy; in a place of its own one stands
// there all the same, as nothing else leads out of it, and lets all pass. The caller calls
// done when the command has ended.
func (w *World) straight(ctx context.Context, name, command string, settings Settings) (spec program.Spec, done func(), err error) {
	if w.Take == nil {
		return w.spec(name, command, w.Engine.Addr(), settings), func() {}, nil
	}
	place, proxy, err := w.proxied(ctx, (*wire.Proxy).Pass)
	if err != nil {
		return program.Spec{}, nil, fmt.Errorf("a way to Redis: %w", err)
	}
	spec = w.spec(name, command, proxy.Addr(), settings)
	spec.In = place
	return spec, func() {
		place.Discard()
		proxy.Close()
	}, nil
}
