package world

import (
	"context"
	"fmt"

	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// ServeAway starts a producer whose Redis refuses connections from the first
// moment, and waits until it listens all the same. Wire.Pass brings Redis back.
func (w *World) ServeAway(ctx context.Context, name string, settings Settings) (*Server, error) {
	proxy, err := wire.Listen(w.Engine.Addr())
	if err != nil {
		return nil, fmt.Errorf("proxy of %s: %w", name, err)
	}
	if err := proxy.Refuse(); err != nil {
		proxy.Close()
		return nil, fmt.Errorf("proxy of %s: %w", name, err)
	}
	process, err := program.Start(ctx, w.spec(name, "serve", proxy.Addr(), settings))
	if err != nil {
		proxy.Close()
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &Program{Process: process, Wire: proxy}
	w.programs = append(w.programs, p)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	base, err := p.Listening(ctx)
	if err != nil {
		return nil, &ProgramError{What: name + " did not listen while Redis was away", Err: err}
	}
	return &Server{Program: p, Client: shop.NewClient(base, patience)}, nil
}
