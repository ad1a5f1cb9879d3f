// Package isolate gives each program of somebody whom nobody trusts a container of its
// own: without network, on a read-only system, not as root, without capabilities, within
// bounds of memory and processes. What it needs of the outside is brought to it: a
// listening socket at 127.0.0.1:6379 behind which the harness stands, and connections to the
// server that it says it has. See package inside for how.
//
// Containers are made ahead, so that a story does not wait for Docker. A container ends
// when its program has, when the Isolation is closed, and when the harness ends in any
// way, as its first process then loses the connection to it; Docker then removes it.
package isolate
