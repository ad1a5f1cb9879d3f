package storm

import (
	"context"
	"regexp"
	"sync"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// batchPattern finds the batch that a command names.
var batchPattern = regexp.MustCompile(`storm-\d{4}`)

// worker is one that is watched.
type worker struct {
	name    string
	program *world.Program // set when it has been started
	current string         // the batch that it has in hand, as far as its commands say
}

// hit is a command that a fault is for, held.
type hit struct {
	worker *worker
	strike Strike
	caught *wire.Caught
}

// watcher counts the commands of each batch and holds those that a fault is for.
type watcher struct {
	hits chan hit

	mu     sync.Mutex // guards what follows
	plan   map[string]map[int]Strike
	counts map[string]int // commands by batch
	tasks  sync.WaitGroup
}

func newWatcher(strikes []Strike) *watcher {
	w := &watcher{hits: make(chan hit), plan: map[string]map[int]Strike{}, counts: map[string]int{}}
	for _, s := range strikes {
		if w.plan[s.Batch] == nil {
			w.plan[s.Batch] = map[int]Strike{}
		}
		w.plan[s.Batch][s.Nth] = s
	}
	return w
}

// watch looks at all that a worker sends. It ends with ctx or with the proxy.
func (w *watcher) watch(ctx context.Context, of *worker, proxy *wire.Proxy) {
	held := map[int]Strike{} // by the number of the command, which both traps know
	before := proxy.Trap(wire.BeforeServer, func(c wire.Command) bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		strike, ok := w.due(of, c)
		if ok {
			held[c.Seq] = strike
		}
		return ok && strike.Kind.Moment() == wire.BeforeServer
	})
	after := proxy.Trap(wire.AfterServer, func(c wire.Command) bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		strike, ok := held[c.Seq]
		return ok && strike.Kind.Moment() == wire.AfterServer
	})
	for _, trap := range []*wire.Trap{before, after} {
		w.tasks.Go(func() {
			for {
				caught, err := trap.Next(ctx)
				if err != nil {
					return
				}
				w.mu.Lock()
				strike := held[caught.Exchange().Seq]
				w.mu.Unlock()
				select {
				case w.hits <- hit{of, strike, caught}:
				case <-ctx.Done():
					caught.Release()
					return
				}
			}
		})
	}
}

// namesBatch is the batch that a command names, or "".
func namesBatch(c wire.Command) string {
	for _, arg := range c.Args {
		if found := batchPattern.FindString(arg); found != "" {
			return found
		}
	}
	return ""
}

// due counts a command for its batch and says whether a fault is planned at it. A worker
// has one job at a time: a command of the stock that names no batch is for that one. It is
// called with mu held.
func (w *watcher) due(of *worker, c wire.Command) (Strike, bool) {
	batch := namesBatch(c)
	switch {
	case batch != "":
		of.current = batch
	case c.Touches(shop.StockPrefix):
		batch = of.current
	}
	if batch == "" {
		return Strike{}, false
	}
	w.counts[batch]++
	strike, planned := w.plan[batch][w.counts[batch]]
	return strike, planned
}
