package engine

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrUnavailable is what every "no Redis to be had from there" wraps: Docker does not answer, an
	// image cannot be pulled, a server cannot be reached. It is the machine's trouble, never a
	// learner's.
	ErrUnavailable = errors.New("redis is not available")
	// ErrNotEmpty refuses a user's server that holds keys, because a run would delete them.
	ErrNotEmpty = errors.New("the server holds keys")
	// ErrClosed answers whoever asks a closed engine for a database.
	ErrClosed = errors.New("the engine is closed")
)

// unavailable is a cause told in one line. It is ErrUnavailable without saying so: the sentinel is
// for callers to decide on, and its words would only push the cause to the right.
type unavailable struct {
	what  string
	cause error
}

func (u *unavailable) Error() string   { return oneLine(fmt.Sprintf("%s: %v", u.what, u.cause)) }
func (u *unavailable) Unwrap() []error { return []error{ErrUnavailable, u.cause} }

// oneLine joins lines, because Docker's errors come in several and a reason is printed in one.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
