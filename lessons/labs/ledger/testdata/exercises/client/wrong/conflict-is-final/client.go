// Package client: who repeats an order has to say which.
package client

import (
	"errors"
	"net/http"
)

// Attempts is how often an order is sent at most.
const Attempts = 5

// ErrNotKnown says that nobody knows whether the order is placed.
var ErrNotKnown = errors.New("it is not known whether the order is placed")

// Place places one order and returns the status that says how it went. An error of send means that there
// was no answer.
func Place(newKey func() string, send func(key string) (status int, err error)) (status int, err error) {
	key := newKey()
	for range Attempts {
		status, err = send(key)
		open := err != nil || status == http.StatusServiceUnavailable
		if !open {
			return status, nil
		}
	}
	return 0, ErrNotKnown
}
