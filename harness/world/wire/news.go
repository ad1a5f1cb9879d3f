package wire

import "sync"

// news tells any number of waiters that something changed. It says no more than
// that: whoever waits looks for itself, so no change can be missed or misread.
type news struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait is closed at the next change. Ask for it before looking.
func (n *news) wait() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.next == nil {
		n.next = make(chan struct{})
	}
	return n.next
}

func (n *news) spread() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.next != nil {
		close(n.next)
		n.next = nil
	}
}
