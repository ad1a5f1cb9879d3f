package wire

import (
	"slices"
	"strings"
)

// Command is one command as the client sent it.
type Command struct {
	// Seq is the order in which the proxy read its commands, over all
	// connections, from 1.
	Seq int
	// Conn is the number of the connection, from 1 in the order of arrival.
	Conn int
	// Args are the name and its arguments, byte for byte. Empty only for input
	// that could not be read as a command.
	Args []string
	// Queued holds, for EXEC, the commands that were forwarded since MULTI on
	// this connection, in order.
	Queued []Command
}

// Name is the first word in upper case, such as "BLPOP", or "" for input that
// could not be read as a command.
func (c Command) Name() string {
	if len(c.Args) == 0 {
		return ""
	}
	return strings.ToUpper(c.Args[0])
}

// Touches says whether some argument after the name begins with prefix or, for
// EXEC, whether this holds for one of the queued commands.
//
// It does not know which arguments are keys. Redis commands and scripts put them
// in many places, and a prefix that is specific enough needs no such table.
func (c Command) Touches(prefix string) bool {
	for i, arg := range c.Args {
		if i > 0 && strings.HasPrefix(arg, prefix) {
			return true
		}
	}
	return slices.ContainsFunc(c.Queued, func(q Command) bool { return q.Touches(prefix) })
}

// is says whether the command begins with these words, given in upper case.
func (c Command) is(words ...string) bool {
	if len(c.Args) < len(words) {
		return false
	}
	for i, word := range words {
		if !strings.EqualFold(c.Args[i], word) {
			return false
		}
	}
	return true
}

// turnsOpaque says whether replies can no longer be counted once this command
// has reached the server. SUBSCRIBE is in the list for RESP3 too: there it is
// answered by one push message per channel and by no reply.
func (c Command) turnsOpaque() bool {
	switch c.Name() {
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "MONITOR", "SYNC", "PSYNC":
		return true
	}
	return c.is("CLIENT", "REPLY", "OFF") || c.is("CLIENT", "REPLY", "SKIP")
}

// clone shares nothing with c that a caller could change.
func (c Command) clone() Command {
	c.Args = slices.Clone(c.Args)
	c.Queued = slices.Clone(c.Queued)
	for i, q := range c.Queued {
		c.Queued[i] = q.clone()
	}
	return c
}
