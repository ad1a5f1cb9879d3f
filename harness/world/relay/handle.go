package relay

import "net/http"

func (r *Relay) handle(w http.ResponseWriter, req *http.Request) {
	f, ok := r.take(req)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	defer r.handlers.Done()
	if f == nil {
		r.plain.ServeHTTP(w, req)
		return
	}
	f.happen(w, req)
}

// take counts the request in and returns the first armed fault that it matches,
// which is then armed no more; not ok once the relay is closed.
func (r *Relay) take(req *http.Request) (f *fault, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, false
	}
	for i, f := range r.armed {
		if f.match(req) {
			r.armed = append(r.armed[:i:i], r.armed[i+1:]...)
			r.handlers.Add(1)
			return f, true
		}
	}
	r.handlers.Add(1)
	return nil, true
}

func (r *Relay) arm(f *fault) {
	r.mu.Lock()
	closed := r.closed
	if !closed {
		r.armed = append(r.armed, f)
	}
	r.mu.Unlock()
	if closed {
		f.fail(ErrClosed)
	}
}
