package ledger

import (
	"context"
	"fmt"
	"sync"
)

// Memory is how it should not be done: the keys are in a map of the process. It is careful about
// attempts at the same time, and still it forgets everything when the process ends, and knows nothing of
// what another process has done.
type Memory struct {
	ledger *Ledger // lends its database

	mu   sync.Mutex
	seen map[string][]byte // key -> result
}

// NewMemory remembers nothing yet.
func NewMemory(l *Ledger) *Memory { return &Memory{ledger: l, seen: map[string][]byte{}} }

// Do carries out the operation unless this Memory has done so.
func (m *Memory) Do(ctx context.Context, r Request, effect Effect) (Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if result, seen := m.seen[r.Key]; seen {
		return Answer{Result: result, Repeated: true}, nil
	}
	tx, err := m.ledger.begin(ctx)
	if err != nil {
		return Answer{}, fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	result, err := effect(ctx, tx, r)
	if err != nil {
		return Answer{}, err
	}
	if err := tx.Commit(); err != nil {
		return Answer{}, fmt.Errorf("commit: %w", err)
	}
	m.seen[r.Key] = result // a crash just before this line is enough
	return Answer{Result: result}, nil
}
