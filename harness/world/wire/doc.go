// Package wire stands between one program and one Redis server and lets a
// scenario decide, command by command, what the network does.
//
// A [Proxy] reads every command and every reply as a whole value of the Redis
// protocol (RESP2, RESP3 or inline), writes down what became of it as an
// [Exchange], and passes the bytes on unchanged. A [Trap] stops a command before
// the server has seen it, or the reply before the client has seen it; the
// scenario then releases it, cuts the connection, or swallows it. Modes
// ([Proxy.Pass], [Proxy.Refuse], [Proxy.Hang], [Proxy.AnswerAll]) play outages.
//
// The record is proof and not assumption: a command counts as forwarded only if
// all its bytes were given to the server, and as answered only if a whole reply
// was read from it.
//
// # How one connection works
//
// Three goroutines, joined by two queues, keep both directions in order:
//
//	client -> readClient -> queue -> forward -> server
//	client <----------- readReplies <- pending <- server
//
// forward takes one command at a time, so a command that is held, or whose reply
// is to be held, keeps all later ones of its connection waiting. readClient goes
// on reading meanwhile: that is how a client that went away is noticed while its
// command is still held. Nothing bounds what it reads ahead.
//
// # Where the proxy stops looking
//
// On a connection that subscribes, monitors, replicates or switches replies off,
// answers can no longer be told apart by counting them. Such a connection
// becomes opaque: bytes are copied both ways, its commands are still written
// down (with fate [Opaque]), but no trap catches them and no reply is recorded.
package wire
