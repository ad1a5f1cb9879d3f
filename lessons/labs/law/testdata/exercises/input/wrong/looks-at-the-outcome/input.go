// Package input: does a command leave the article that it was given as it was?
package input

import "example.com/importer/lessons/labs/law"

// Changes says whether the command changes the article that it is given.
func Changes(f law.Transition[law.Article]) bool {
	given := law.Article{Title: "Autumn", Views: 3, Tags: []string{"wind", "leaves"}}
	kept := given.Clone()
	return !law.Same(kept, f(given))
}
