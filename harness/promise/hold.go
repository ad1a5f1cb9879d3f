package promise

import (
	"context"
	"errors"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/wire"
)

// unproven turns a fault that did not fire into a check that proved nothing, and
// passes every other error on.
func (s *Saw) unproven(err error) error {
	if errors.Is(err, world.ErrNotFired) {
		s.Missing = err.Error()
		return nil
	}
	return err
}

// holdTwo starts two workers and waits until each has its first stock command on
// the way, so that both can be let go together.
func holdTwo(ctx context.Context, w *world.World) ([]*wire.Caught, error) {
	var traps []*wire.Trap
	for _, name := range []string{"worker-1", "worker-2"} {
		worker, err := w.Work(ctx, name, nil)
		if err != nil {
			return nil, err
		}
		traps = append(traps, worker.TrapStock(wire.BeforeServer))
	}
	var held []*wire.Caught
	for _, trap := range traps {
		caught, err := world.CatchFirst(ctx, trap)
		if err != nil {
			return nil, err
		}
		held = append(held, caught)
	}
	return held, nil
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
