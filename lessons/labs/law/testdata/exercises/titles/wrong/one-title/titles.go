// Package titles: a test of the law, for several titles.
package titles

import (
	"example.com/importer/lessons/labs/law"
)

// titles are tried one after the other.
var titles = []string{"Spring"}

// Failing returns the titles for which the law fails.
func Failing(set func(title string) law.Transition[law.Article]) (failing []string) {
	for _, title := range titles {
		before := law.Article{Title: "Autumn", Views: 3}
		f := set(title)
		once := f(before)
		if !law.Same(once, f(once)) {
			failing = append(failing, title)
		}
	}
	return failing
}
