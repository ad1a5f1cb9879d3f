package wire

import "sync"

// fifo is an unbounded queue between two goroutines of one connection. A channel
// would do but for its bound: a reader that blocks behind a held command could
// not notice that the client has gone.
type fifo[T any] struct {
	mu      sync.Mutex
	changed *sync.Cond
	items   []T
	closed  bool
}

func newFIFO[T any]() *fifo[T] {
	q := &fifo[T]{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

// push appends v. It is false if the queue is closed; v is not in it then.
func (q *fifo[T]) push(v T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return false
	}
	q.items = append(q.items, v)
	q.changed.Signal()
	return true
}

// pop waits for the first item. It is false once the queue is closed and empty.
func (q *fifo[T]) pop() (T, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.changed.Wait()
	}
	return q.take()
}

// tryPop is pop without waiting.
func (q *fifo[T]) tryPop() (T, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.take()
}

func (q *fifo[T]) take() (T, bool) {
	var zero T
	if len(q.items) == 0 {
		return zero, false
	}
	first := q.items[0]
	q.items[0] = zero // let it be collected
	q.items = q.items[1:]
	return first, true
}

// close lets nothing more in; what is inside can still be taken out.
func (q *fifo[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Broadcast()
}
