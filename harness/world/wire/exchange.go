package wire

import "time"

// Fate is what the proxy did with a command. How far the command got is told by
// the other fields of its [Exchange].
type Fate string

// The fates. Waiting and Held are passing states; the others are final.
const (
	// Waiting: read from the client, its turn has not come.
	Waiting Fate = "waiting"
	// Held: caught by a trap and not yet decided.
	Held Fate = "held"
	// Passed: let through as if there were no proxy.
	Passed Fate = "passed"
	// Cut: its connection was closed at this command, by [Caught.Cut] or
	// because the proxy ended while the command was held. Before the server if
	// Forwarded is false, after it otherwise.
	Cut Fate = "cut"
	// Swallowed: the command (Forwarded is false) or its reply was dropped and
	// the client left waiting.
	Swallowed Fate = "swallowed"
	// Hung: left without an answer by [Proxy.Hang], or because an earlier
	// command of its connection was swallowed.
	Hung Fate = "hung"
	// Faked: answered by the proxy with the error of [Proxy.AnswerAll].
	Faked Fate = "faked"
	// Opaque: given to the server on a connection whose replies can no longer
	// be told apart; whether it was answered is not known.
	Opaque Fate = "opaque"
	// Malformed: not a value of the Redis protocol. If Forwarded is false the
	// client sent it; otherwise the server did, as the reply.
	Malformed Fate = "malformed"
	// Unasked: no command at all, but a reply the server sent to nobody.
	Unasked Fate = "unasked"
	// Dropped: its connection ended before its turn came or before all of it
	// was given to the server.
	Dropped Fate = "dropped"
)

// Exchange is one command and everything known about what became of it.
type Exchange struct {
	Command
	// Forwarded says that all bytes of the command were given to the server's
	// connection. That it read and executed them is proven by Answered only, or
	// by asking the server. It is set as the writing begins, so that nobody can
	// see the effect of a command that does not count as forwarded yet, and
	// taken back if not all could be written.
	Forwarded bool
	// Answered says that a whole reply was read from the server.
	Answered bool
	// Reply is that reply as raw RESP, "" if there was none.
	Reply string
	// Delivered says that the reply, or the proxy's own if the fate is Faked,
	// was written to the client's socket while that was open. Whether the
	// client read it from there nobody can know.
	Delivered bool
	// Read is when the whole command had been read from the client.
	Read time.Time
	// Sent is when it was given to the server, zero if it never was.
	Sent time.Time
	// Replied is when the whole reply had been read, zero if there was none.
	Replied time.Time
	// Fate is what the proxy did with it.
	Fate Fate
	// Problem says what went wrong on the connection, such as "no answer:
	// server closed the connection"; "" if nothing did.
	Problem string
}

func (e Exchange) clone() Exchange {
	e.Command = e.Command.clone()
	return e
}
