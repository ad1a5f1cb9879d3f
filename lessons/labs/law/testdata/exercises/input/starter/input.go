// Package input: does a command leave the article that it was given as it was?
//
// Changes gives a command an article and says whether the article is another one afterwards. It is the test
// that belongs beside a test of the law. As it stands, it never says yes: what it keeps is no copy of all
// that is in the article, and the article has nothing in it that a command could put into another order.
//
// Make it right. It will be given commands that leave their article alone, and some that do not.
// Then run: make lab LAB=law
package input

import "example.com/importer/lessons/labs/law"

// Changes says whether the command changes the article that it is given.
func Changes(f law.Transition[law.Article]) bool {
	given := law.Article{Title: "Autumn", Views: 3}
	kept := given
	f(given)
	return !law.Same(kept, given)
}
