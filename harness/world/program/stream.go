package program

import (
	"sync"
)

// lineCost is what a line costs besides its text: its time, its headers.
const lineCost = 64

// stream keeps the first and the last lines of one output of a program.
// The first lines say how it began, the last ones why it ended; a flood between
// them is counted only.
type stream struct {
	limits Limits
	each   func(Line) // nil: nobody wants to see the lines come

	mu                 sync.Mutex
	head, tail         []Line
	headCost, tailCost int
	headFull           bool
	dropped            Dropped
	waiters            map[*waiter]struct{}
}

// Dropped counts what was printed and not kept.
type Dropped struct {
	Lines, Bytes int
}

// waiter wants one line. found has room for it, so that handing it over never
// blocks the reader, and with it the program.
type waiter struct {
	match func(Line) bool
	found chan Line
}

func newStream(l Limits) *stream {
	return &stream{limits: l, waiters: map[*waiter]struct{}{}}
}

// add keeps a line and hands it to those who wait for it. They are asked here,
// under the lock, and not woken to look for themselves: by the time they look,
// a flood may have pushed the line out.
func (s *stream) add(l Line) {
	if s.each != nil {
		s.each(l)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(l)
	for w := range s.waiters {
		if w.match(l) {
			w.found <- l
			delete(s.waiters, w)
		}
	}
}

func (s *stream) keep(l Line) {
	cost := len(l.Text) + lineCost
	half := s.limits.MaxOutput / 2
	// The very first line is kept whatever it costs: it is the one that says
	// where the server listens.
	if !s.headFull && (len(s.head) == 0 || s.headCost+cost <= half) {
		s.head = append(s.head, l)
		s.headCost += cost
		return
	}
	s.headFull = true
	s.tail = append(s.tail, l)
	s.tailCost += cost
	for s.tailCost > half && len(s.tail) > 1 {
		old := s.tail[0]
		s.tail[0] = Line{} // let its text go now, not when the slice moves
		s.tail = s.tail[1:]
		s.tailCost -= len(old.Text) + lineCost
		s.dropped.Lines++
		s.dropped.Bytes += len(old.Text)
	}
}

// lines returns a copy of what is kept, in order, and what was dropped between
// the first `first` lines and the rest.
func (s *stream) lines() (all []Line, first int, dropped Dropped) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all = make([]Line, 0, len(s.head)+len(s.tail))
	all = append(append(all, s.head...), s.tail...)
	return all, len(s.head), s.dropped
}

// watch asks match about every line kept so far, and then about each new one.
// The caller must unwatch.
func (s *stream) watch(match func(Line) bool) *waiter {
	w := &waiter{match: match, found: make(chan Line, 1)}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, lines := range [][]Line{s.head, s.tail} {
		for _, l := range lines {
			if match(l) {
				w.found <- l
				return w
			}
		}
	}
	s.waiters[w] = struct{}{}
	return w
}

func (s *stream) unwatch(w *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiters, w)
}
