package engine

import (
	"context"
	"sync"
)

// Own is one more server, for what a whole server must suffer. It is started when it
// is first asked for, and whoever has it has it alone.
type Own struct {
	Choice Choice

	turn   sync.Mutex
	engine *Engine
}

// Take waits until nobody else has the server, and starts it if nobody has had it
// yet. The caller calls release.
func (o *Own) Take(ctx context.Context) (e *Engine, release func(), err error) {
	o.turn.Lock()
	if o.engine == nil {
		if o.engine, err = Open(ctx, o.Choice); err != nil {
			o.turn.Unlock()
			return nil, nil, err
		}
	}
	return o.engine, sync.OnceFunc(o.turn.Unlock), nil
}

// Close stops the server if there is one.
func (o *Own) Close() error {
	o.turn.Lock()
	defer o.turn.Unlock()
	if o.engine == nil {
		return nil
	}
	return o.engine.Close()
}
