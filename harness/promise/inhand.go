package promise

import (
	"context"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/wire"
)

// heldInHand starts a server and worker-1, and lets the worker take the job of batch-a:
// its first stock command is on the way and held.
func heldInHand(ctx context.Context, w *world.World, settings world.Settings) (*world.Server, *world.Program, *wire.Caught, error) {
	server, first, trap, err := beforeHand(ctx, w, settings)
	if err != nil {
		return nil, nil, nil, err
	}
	held, err := world.CatchFirst(ctx, trap)
	return server, first, held, err
}

// frozenInHand is heldInHand with a worker that is frozen as well.
func frozenInHand(ctx context.Context, w *world.World, settings world.Settings) (*world.Server, *world.Frozen, error) {
	server, first, trap, err := beforeHand(ctx, w, settings)
	if err != nil {
		return nil, nil, err
	}
	frozen, err := first.FreezeAt(ctx, trap)
	return server, frozen, err
}

// beforeHand stores the job of batch-a. The trap is armed before, as the worker may be quick.
func beforeHand(ctx context.Context, w *world.World, settings world.Settings) (*world.Server, *world.Program, *wire.Trap, error) {
	server, first, err := w.Start(ctx, "worker-1", settings)
	if err != nil {
		return nil, nil, nil, err
	}
	trap := first.TrapStock(wire.BeforeServer)
	_, err = server.Accept(ctx, "batch-a")
	return server, first, trap, err
}

// neckAndNeck starts two workers and lets the first stock command of each run
// before the second one of either: what a worker has read by then, the other one
// has read as well, and nobody has written.
func neckAndNeck(ctx context.Context, w *world.World) error {
	var traps []*wire.Trap
	for _, name := range []string{"worker-1", "worker-2"} {
		_, trap, err := w.WorkTrapped(ctx, name, nil, wire.BeforeServer)
		if err != nil {
			return err
		}
		defer trap.Disarm() // the later commands go on together
		traps = append(traps, trap)
	}
	return together(ctx, traps)
}

// firstEvent finds a line in a program's log.
func firstEvent(p *world.Program, event string) (program.Line, bool) {
	for _, line := range p.Logs() {
		if line.Event == event {
			return line, true
		}
	}
	return program.Line{}, false
}
