package isolate

import (
	"context"
	"fmt"
	"slices"
)

const (
	// ahead is how many containers wait for a program. A story starts three or four programs in
	// a moment and then lets them work, while several stories go on.
	ahead = 8
	// atOnce is how many are made at once.
	atOnce = 4
)

// made is a container that is ready, or why there is none.
type made struct {
	place *Place
	err   error
}

// Take returns a place for one program, waiting for one if need be. The place is given
// back by its Reap, or by its Discard if nothing was started.
func (i *Isolation) Take(ctx context.Context) (*Place, error) {
	i.once.Do(func() {
		for range min(atOnce, i.Ahead) {
			i.makers.Go(i.makeAhead)
		}
	})
	select {
	case next := <-i.ready:
		return next.place, next.err
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a container: %w", ctx.Err())
	case <-i.life.Done():
		return nil, fmt.Errorf("wait for a container: the isolation is closed")
	}
}

func (i *Isolation) makeAhead() {
	i.mu.Lock()
	shares := slices.Clone(i.shares)
	i.mu.Unlock()
	for i.life.Err() == nil {
		place, err := i.make(i.life, shares, false)
		select {
		case i.ready <- made{place, err}:
		case <-i.life.Done():
		}
	}
}
