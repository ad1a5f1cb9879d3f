package wire

import (
	"sync"
	"time"
)

// record is the list of all exchanges of a proxy, in the order of Seq.
type record struct {
	news    *news
	mu      sync.Mutex
	entries []*entry
}

// entry is one exchange as it grows.
type entry struct {
	record   *record
	exchange Exchange // guarded by record.mu

	// answered is closed when a reply was recorded or none can come any more.
	answered chan struct{}
	// finished is closed when the proxy is done with the exchange.
	finished chan struct{}

	answeredOnce, finishedOnce sync.Once
}

// add writes down a new exchange, with the next Seq.
func (r *record) add(conn int, args []string, fate Fate) *entry {
	e := &entry{record: r, answered: make(chan struct{}), finished: make(chan struct{})}
	r.mu.Lock()
	e.exchange = Exchange{
		Command: Command{Seq: len(r.entries) + 1, Conn: conn, Args: args},
		Read:    time.Now(),
		Fate:    fate,
	}
	r.entries = append(r.entries, e)
	r.mu.Unlock()
	r.news.spread()
	return e
}

func (r *record) snapshot() []Exchange {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := make([]Exchange, len(r.entries))
	for i, e := range r.entries {
		all[i] = e.exchange.clone()
	}
	return all
}

func (e *entry) snapshot() Exchange {
	e.record.mu.Lock()
	defer e.record.mu.Unlock()
	return e.exchange.clone()
}

func (e *entry) update(change func(*Exchange)) {
	e.record.mu.Lock()
	change(&e.exchange)
	e.record.mu.Unlock()
	e.record.news.spread()
}

// reply writes down what the server answered.
func (e *entry) reply(raw string) {
	e.update(func(x *Exchange) {
		x.Answered, x.Reply, x.Replied = true, raw, time.Now()
	})
	e.answeredOnce.Do(func() { close(e.answered) })
}

// finish ends the exchange. An empty fate leaves it as it is, and so does an
// empty problem.
func (e *entry) finish(fate Fate, problem string) {
	e.update(func(x *Exchange) {
		if fate != "" {
			x.Fate = fate
		}
		if problem != "" {
			x.Problem = problem
		}
	})
	e.answeredOnce.Do(func() { close(e.answered) })
	e.finishedOnce.Do(func() { close(e.finished) })
}
