package wire

import (
	"errors"
	"io"
)

// readClient queues what the client sends until it goes away or sends something
// that is no command. It reads in every mode and during every hold.
func (c *conn) readClient() {
	defer c.queue.close()
	in := newRawReader(c.client)
	for {
		args, err := readCommand(in)
		if err == nil && len(args) == 0 {
			continue // the server would skip it too
		}
		if err == nil {
			c.queue.push(&request{
				entry:   c.proxy.record.add(c.number, args, Waiting),
				raw:     in.raw.Bytes(),
				written: make(chan struct{}),
			})
			continue
		}
		if errors.Is(err, errMalformed) {
			// The forwarder closes the connection, once the commands before
			// this one have been answered.
			c.queueMalformed(err)
			return
		}
		if err != io.EOF && in.partial() {
			c.queueMalformed(malformed("connection ended within a command: %v", err))
		}
		// Like Redis, the proxy takes a closed sending half for a client that
		// has gone: the two cannot be told apart from here.
		c.closeClient()
		return
	}
}

func (c *conn) queueMalformed(err error) {
	c.queue.push(&request{
		entry:     c.proxy.record.add(c.number, nil, Waiting),
		malformed: err,
	})
}
