package wire

import "io"

// deliver writes to the client, if it is still there. For a push message, which
// answers nothing, req is nil.
func (c *conn) deliver(req *request, raw string) {
	if mode, _ := c.proxy.stance(c); mode.kind == hanging || c.silent() {
		return
	}
	// Written down before it is done, and taken back if it fails: a client that
	// has its reply must find it in the record as delivered.
	req.delivered(true)
	c.writing.Lock()
	defer c.writing.Unlock()
	if _, err := io.WriteString(c.client, raw); err != nil {
		req.delivered(false)
		c.closeClient()
	}
}

func (r *request) delivered(yes bool) {
	if r != nil {
		r.update(func(x *Exchange) { x.Delivered = yes })
	}
}
