package promise

import (
	"context"
	"sync"

	"example.com/importer/harness/world/wire"
)

// cutter cuts whatever its trap catches, until it is stopped.
type cutter struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
	trap   *wire.Trap
	fired  []wire.Exchange
}

func cutAll(ctx context.Context, trap *wire.Trap) *cutter {
	ctx, cancel := context.WithCancel(ctx)
	c := &cutter{cancel: cancel, trap: trap}
	c.done.Go(func() {
		for {
			caught, err := trap.Next(ctx)
			if err != nil {
				return
			}
			caught.Cut()
			c.fired = append(c.fired, caught.Exchange())
		}
	})
	return c
}

// stop returns what was cut.
func (c *cutter) stop() []wire.Exchange {
	c.cancel()
	c.trap.Disarm()
	c.done.Wait()
	return c.fired
}
