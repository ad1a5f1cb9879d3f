// Package inside is the first process of an isolated program's container. It starts the
// program there, gives it signals, reaps what it leaves behind, and opens sockets in the
// container's network on behalf of the harness.
//
// The container has no network, so the one way in and out is a Unix socket of the
// harness, in a folder that is mounted there. What goes over it are short messages
// (Request, Reply) and file descriptors: the program's outputs come from the harness, and
// sockets that were opened in here go to it. So no byte of a program's output, of HTTP or
// of Redis passes through this process, and a frozen or greedy program holds up nothing.
//
// It runs as the program's user and shares its bounds, so a program could end or confuse
// it. Whatever it says is therefore the program's word; what decides is what the
// harness sees itself.
package inside

const (
	// Command is the argument that makes the harness this process.
	Command = "isolated-inside"
	// Socket is where the harness listens, in the container.
	Socket = "/harness/control/socket"
)
