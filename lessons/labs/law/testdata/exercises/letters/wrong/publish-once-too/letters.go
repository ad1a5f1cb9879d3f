// Package letters: what belongs to the state?
package letters

import "slices"

// State is an article in the model, and what was sent about it.
type State struct {
	Title     string
	Published bool
	Sent      []string
}

// Letters are those that were sent, the oldest first.
func Letters(s State) []string { return s.Sent }

// Publish publishes the article and writes to the readers, each time.
func Publish(s State) State {
	s.Published = true
	s.Sent = append(slices.Clone(s.Sent), "now to be read: "+s.Title)
	return s
}

// PublishOnce is to be given as often as anybody likes.
func PublishOnce(s State) State {
	return Publish(s)
}
