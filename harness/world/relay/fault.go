package relay

import (
	"context"
	"fmt"
	"net/http"
)

// fault is something that will be done to one request.
type fault struct {
	match  func(*http.Request) bool
	happen func(http.ResponseWriter, *http.Request)
	fail   func(error) // called instead of happen
}

// evidence is what a fault leaves behind, once. The channels order the writes
// before the reads: a field is set before the channel that tells of it closes.
type evidence[T any] struct {
	matched chan struct{} // closes when a request is hit
	settled chan struct{} // closes when it is known what became of it
	found   T
	err     error
}

func newEvidence[T any]() *evidence[T] {
	return &evidence[T]{matched: make(chan struct{}), settled: make(chan struct{})}
}

func (e *evidence[T]) settle(found T, err error) {
	e.found, e.err = found, err
	close(e.settled)
}

// await tells a fault that never met a request from one that is still going on.
func (e *evidence[T]) await(ctx context.Context, what string) (T, error) {
	select {
	case <-e.settled:
		return e.result(what)
	case <-ctx.Done():
	}
	select { // of two that are ready, select takes either
	case <-e.settled:
		return e.result(what)
	default:
	}
	var none T
	select {
	case <-e.matched:
		return none, fmt.Errorf("%s: a request matched and the server has not done its part: %w", what, ctx.Err())
	default:
		return none, fmt.Errorf("%s: %w: %w", what, ErrNoMatch, ctx.Err())
	}
}

func (e *evidence[T]) result(what string) (T, error) {
	if e.err != nil {
		return e.found, fmt.Errorf("%s: %w", what, e.err)
	}
	return e.found, nil
}
