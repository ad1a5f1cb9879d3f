package measure

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/world/shop"
)

// ErrWrong means that what was measured did not do its work. How fast it did not do it is
// of no interest.
var ErrWrong = errors.New("wrong result, no figure")

// figure is the value, if nothing was wrong.
func figure(value float64, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	return value, nil
}

// right reads what is in Redis and compares it with so many arrivals of the batches.
func (g *ground) right(ctx context.Context, batches []string, marks bool) error {
	state, err := shop.ReadState(ctx, g.redis)
	if err != nil {
		return err
	}
	return compare(g.Data, state, batches, marks)
}

// compare says what is wrong: every batch must have been added once. With marks, each must
// have one that holds its result and has no lifetime; without, there must be none.
func compare(data dataset.Data, state history.State, batches []string, marks bool) error {
	if len(state.Unreadable) > 0 {
		return fmt.Errorf("%w: %s", ErrWrong, strings.Join(state.Unreadable, "; "))
	}
	if expected := data.After(len(batches)); !maps.Equal(state.Stock, expected) {
		return fmt.Errorf("%w: after %d arrivals stock is %s, %s is expected", ErrWrong, len(batches), data.Line(state.Stock), data.Line(expected))
	}
	if state.Generation != len(batches) {
		return fmt.Errorf("%w: generation is %d, %d is expected", ErrWrong, state.Generation, len(batches))
	}
	expected := batches
	if !marks {
		expected = nil
	}
	if len(state.Marks) != len(expected) {
		return fmt.Errorf("%w: there are %d marks, %d are expected", ErrWrong, len(state.Marks), len(expected))
	}
	for _, batch := range expected {
		mark, ok := state.Marks[batch]
		if !ok || mark.Lifetime || mark.BatchID != batch || mark.Imported != len(data.Shipment) {
			return fmt.Errorf("%w: the mark of batch %s is %q", ErrWrong, batch, mark.Raw)
		}
	}
	return nil
}

// ended waits until all jobs are completed, and compares.
func (g *ground) ended(ctx context.Context, p *producer, s Subject, batches []string) error {
	if err := p.all(ctx, "completed", len(batches)); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	if err := g.right(ctx, batches, s.Marks); err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	return nil
}
