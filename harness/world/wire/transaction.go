package wire

// transaction remembers what one connection has forwarded since MULTI.
type transaction struct {
	open   bool
	queued []Command
}

// complete gives an EXEC the commands it will execute.
func (t *transaction) complete(req *request) {
	if !t.open {
		return
	}
	req.update(func(x *Exchange) {
		if x.Name() == "EXEC" {
			x.Queued = t.queued
		}
	})
}

// track follows a command that was forwarded.
func (t *transaction) track(c Command) {
	switch c.Name() {
	case "MULTI":
		t.open = true // a second one is an error and changes nothing
	case "EXEC", "DISCARD", "RESET":
		*t = transaction{}
	default:
		if t.open {
			t.queued = append(t.queued, c)
		}
	}
}
