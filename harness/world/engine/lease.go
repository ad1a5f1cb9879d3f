package engine

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// flushTimeout bounds the emptying of one database.
const flushTimeout = 5 * time.Second

// Lease hands out an empty database to one cell and waits for one if all are taken. The caller
// calls release when the cell's programs have ended; calling it again does nothing.
//
// A database is emptied before use and after it: before, because a program that was killed may have
// left a command on its way; after, because the user's server is to be left as it was found.
func (e *Engine) Lease(ctx context.Context) (db int, release func(), err error) {
	if err := e.usable(ctx); err != nil {
		return 0, nil, fmt.Errorf("lease a database: %w", err)
	}
	select {
	case <-e.closed:
		return 0, nil, fmt.Errorf("lease a database: %w", ErrClosed)
	case <-ctx.Done():
		return 0, nil, fmt.Errorf("lease one of %d databases, all taken: %w", e.databases, ctx.Err())
	case db = <-e.free:
	}
	if err := e.flush(ctx, db); err != nil {
		e.free <- db
		return 0, nil, err
	}
	return db, sync.OnceFunc(func() { e.release(db) }), nil
}

// usable is asked before the wait, as a select picks any of several that are ready.
func (e *Engine) usable(ctx context.Context) error {
	select {
	case <-e.closed:
		return ErrClosed
	default:
		return ctx.Err()
	}
}

// release has its own context, because it also runs when the cell's was cancelled. A failure is
// only told: the next holder's flush comes first, so nobody meets this one's keys.
func (e *Engine) release(db int) {
	if err := e.flush(context.Background(), db); err != nil {
		e.progress("%v", err)
	}
	e.free <- db
}

func (e *Engine) flush(ctx context.Context, db int) error {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	client := e.Client(db)
	defer client.Close()
	if err := client.FlushDB(ctx).Err(); err != nil {
		return fmt.Errorf("empty database %d of %s: %w", db, e.label, err)
	}
	return nil
}
