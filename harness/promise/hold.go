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

// neckAndNeck starts two workers and lets the first stock command of each run
// before the second one of either: what a worker has read by then, the other one
// has read as well, and nobody has written.
func neckAndNeck(ctx context.Context, w *world.World) error {
	var traps []*wire.Trap
	for _, name := range []string{"worker-1", "worker-2"} {
		worker, err := w.Work(ctx, name, nil)
		if err != nil {
			return err
		}
		trap := worker.TrapStock(wire.BeforeServer)
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
