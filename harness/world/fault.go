package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// firePatience bounds the wait for a fault to fire.
const firePatience = 10 * time.Second

// ErrNotFired means that what a fault was to hit did not come: nothing is proven.
var ErrNotFired = errors.New("fault did not fire")

// TrapStock traps the commands of a program that name the stock.
func (p *Program) TrapStock(at wire.Moment) *wire.Trap {
	return p.Wire.Trap(at, ofStock)
}

func ofStock(c wire.Command) bool { return c.Touches(shop.StockPrefix) }

// StockCommands are the commands on the wire so far that name the stock.
func (p *Program) StockCommands() []wire.Exchange {
	var list []wire.Exchange
	for _, e := range p.Wire.Exchanges() {
		if ofStock(e.Command) {
			list = append(list, e)
		}
	}
	return list
}

// CatchWhen lets go what is caught until that says true, and returns the one.
// The error is ErrNotFired if no such command comes in time.
func CatchWhen(ctx context.Context, trap *wire.Trap, that func() (bool, error)) (*wire.Caught, error) {
	limited, cancel := context.WithTimeout(ctx, firePatience)
	defer cancel()
	for {
		caught, err := trap.Next(limited)
		if err != nil {
			return nil, notFired(ctx, err)
		}
		yes, err := that()
		if yes && err == nil {
			return caught, nil
		}
		caught.Release()
		if err != nil {
			return nil, fmt.Errorf("look at what %s did: %w", caught.Exchange().Name(), err)
		}
	}
}

// CatchFirst waits for the first command in the trap, and disarms it: whatever
// comes after that command passes.
func CatchFirst(ctx context.Context, trap *wire.Trap) (*wire.Caught, error) {
	defer trap.Disarm()
	return CatchWhen(ctx, trap, func() (bool, error) { return true, nil })
}

// notFired tells a command that did not come from a run that was ended.
func notFired(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNotFired, err)
}

// Applied says whether Redis holds exactly so many arrivals by now: stock and
// generation, whatever else there may still be to do.
func (w *World) Applied(ctx context.Context, arrivals int) (bool, error) {
	state, err := shop.ReadState(ctx, w.Redis)
	return err == nil && state.Generation == arrivals && maps.Equal(state.Stock, w.Data.After(arrivals)), err
}

// Rouse lets the late command of a frozen program arrive, or be lost, and then wakes the
// program. In this order, because a sender that wakes up first and finds its time run out
// may hang up. That Redis cannot answer the command any more is no error.
func (p *Program) Rouse(ctx context.Context, late *wire.Caught, arrives bool) error {
	if arrives {
		late.Release()
		limited, cancel := context.WithTimeout(ctx, firePatience)
		defer cancel()
		if _, err := late.Answered(limited); err != nil && !errors.Is(err, wire.ErrNoAnswer) {
			return err
		}
	} else {
		late.Cut()
	}
	if err := p.Thaw(); err != nil {
		return fmt.Errorf("thaw %s: %w", p.Name(), err)
	}
	return nil
}

// Frozen is a program that stands still with a command on its way to Redis.
type Frozen struct {
	Program *Program
	Late    *wire.Caught
	Since   time.Time
}

// FreezeAt waits for the first command in the trap and freezes its sender while that is on
// the way. Whoever arms the trap only when the program may be at work already can miss it.
func (p *Program) FreezeAt(ctx context.Context, trap *wire.Trap) (*Frozen, error) {
	late, err := CatchFirst(ctx, trap)
	if err != nil {
		return nil, err
	}
	if err := p.Freeze(); err != nil {
		late.Release()
		return nil, fmt.Errorf("freeze %s: %w", p.Name(), err)
	}
	return &Frozen{Program: p, Late: late, Since: time.Now()}, nil
}

// Wake lets the late command arrive and then wakes its sender. In this order,
// because a sender that wakes up first and finds its time run out may hang up.
func (f *Frozen) Wake(ctx context.Context) (wire.Exchange, error) {
	f.Late.Release()
	limited, cancel := context.WithTimeout(ctx, firePatience)
	defer cancel()
	arrived, err := f.Late.Answered(limited)
	if err != nil {
		return arrived, notFired(ctx, err)
	}
	if err := f.Program.Thaw(); err != nil {
		return arrived, fmt.Errorf("thaw %s: %w", f.Program.Name(), err)
	}
	return arrived, nil
}
