package record

import (
	"context"
	"database/sql/driver"
	"sync"

	"modernc.org/sqlite"
)

// begins connects to an SQLite file and tells when a transaction is about to begin. Whatever an attempt
// has read before its transaction, it has read by then.
type begins struct {
	file   string
	sqlite sqlite.Driver

	mu   sync.Mutex
	wake chan struct{}
}

// next is closed when the next transaction begins.
func (b *begins) next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wake = make(chan struct{})
	return b.wake
}

func (b *begins) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.wake != nil {
		close(b.wake)
		b.wake = nil
	}
}

// Driver is that of the connections below.
func (b *begins) Driver() driver.Driver { return &b.sqlite }

// Connect opens a connection.
func (b *begins) Connect(context.Context) (driver.Conn, error) {
	inner, err := b.sqlite.Open(b.file)
	if err != nil {
		return nil, err
	}
	return &connection{inner.(full), b}, nil
}

// full is what the driver's connections can do.
type full interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.ConnPrepareContext
}

type connection struct {
	full
	begins *begins
}

func (c *connection) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	c.begins.tell()
	return c.full.BeginTx(ctx, options)
}
