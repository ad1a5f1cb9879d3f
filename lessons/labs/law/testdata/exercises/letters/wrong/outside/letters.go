// Package letters: what belongs to the state?
//
// Publish is called twice, and readers get two letters. Yet the law F(F(s)) = F(s) seems to hold, as the
// letters go past the state.
//
//  1. Put the letters into State, so that the law is seen to fail for Publish.
//  2. Write PublishOnce: the first time it does what Publish does, and again it changes nothing.
//
// Then run: make lab LAB=law
package letters

// State is an article in the model.
type State struct {
	Title     string
	Published bool
}

var sent []string

// Letters are those that were sent, the oldest first.
func Letters(s State) []string { return sent }

// Publish publishes the article and writes to the readers, each time.
func Publish(s State) State {
	s.Published = true
	sent = append(sent, "now to be read: "+s.Title)
	return s
}

// PublishOnce is to be given as often as anybody likes.
func PublishOnce(s State) State {
	return Publish(s)
}
