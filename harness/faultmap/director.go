package faultmap

import (
	"context"
	"slices"
	"sync"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// point is a fault of a schedule with the command that it is for.
type point struct {
	Fault
	at Step
}

// actor is a program that the director watches.
type actor struct {
	name    string
	wire    *wire.Proxy
	program *world.Program // set when it has been started
}

// hit is a command that a fault is for, held.
type hit struct {
	actor  *actor
	caught *wire.Caught
}

// director holds the one command that the next fault is for, whichever program sends
// it, and lets all others pass.
type director struct {
	batch string
	hits  chan hit

	mu     sync.Mutex // guards what follows
	points []point    // still to come; the first is waited for
	seen   int        // commands like it since the last fault
	taken  bool       // it is held, and nothing more is waited for until advance
	actors []*actor
	done   sync.WaitGroup
}

func newDirector(batch string, points []point) *director {
	return &director{batch: batch, points: points, hits: make(chan hit)}
}

// watch catches from the first moment what a program sends through its proxy. It ends
// with the proxy.
func (d *director) watch(ctx context.Context, a *actor) {
	d.mu.Lock()
	d.actors = append(d.actors, a)
	d.mu.Unlock()
	before := a.wire.Trap(wire.BeforeServer, func(c wire.Command) bool { return d.takes(wire.BeforeServer, c) })
	after := a.wire.Trap(wire.AfterServer, func(c wire.Command) bool { return d.mayTake(c) })
	d.done.Go(func() { d.pull(ctx, a, before, func(wire.Exchange) bool { return true }) })
	d.done.Go(func() { d.pull(ctx, a, after, d.takesReply) })
}

// pull hands on what is the one, and lets go what is not.
func (d *director) pull(ctx context.Context, a *actor, trap *wire.Trap, isIt func(wire.Exchange) bool) {
	for {
		caught, err := trap.Next(ctx)
		if err != nil {
			return
		}
		if !isIt(caught.Exchange()) {
			caught.Release()
			continue
		}
		select {
		case d.hits <- hit{a, caught}:
		case <-ctx.Done():
			caught.Release()
			return
		}
	}
}

// takes decides on a command that is on its way to Redis.
func (d *director) takes(at wire.Moment, c wire.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.waitsFor(at, c) {
		return false
	}
	want := d.points[0].at
	if !want.byReply && !d.trail().names(c) {
		return false
	}
	d.seen++
	nth := want.nth
	if want.byReply {
		nth = 1 // which of those that ask for work will get it is not known yet
	}
	d.taken = d.seen == nth
	return d.taken
}

// mayTake holds a reply that has to be looked at.
func (d *director) mayTake(c wire.Command) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waitsFor(wire.AfterServer, c)
}

// takesReply decides on a command that Redis has answered.
func (d *director) takesReply(x wire.Exchange) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.waitsFor(wire.AfterServer, x.Command) || !d.trail().has(x) {
		return false
	}
	d.seen++
	d.taken = d.seen == d.points[0].at.nth
	return d.taken
}

// waitsFor is called with mu held.
func (d *director) waitsFor(at wire.Moment, c wire.Command) bool {
	return !d.taken && len(d.points) > 0 && d.points[0].Kind.Moment() == at && d.points[0].at.sig == sig(c)
}

// trail is what is known of the job by now. It is called with mu held.
func (d *director) trail() *trail {
	t := newTrail(d.batch, d.points[0].Side)
	t.filter(exchanges(d.actors))
	return t
}

// advance goes on to the next fault. It returns the one that was waited for.
func (d *director) advance() point {
	d.mu.Lock()
	defer d.mu.Unlock()
	fired := d.points[0]
	d.points, d.seen, d.taken = d.points[1:], 0, false
	return fired
}

// left is how many faults have not fired.
func (d *director) left() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.points)
}

// exchanges are those of several programs, in the order in which they were sent.
func exchanges(actors []*actor) []wire.Exchange {
	var all []wire.Exchange
	for _, a := range actors {
		all = append(all, a.wire.Exchanges()...)
	}
	slices.SortStableFunc(all, func(a, b wire.Exchange) int { return a.Read.Compare(b.Read) })
	return all
}
