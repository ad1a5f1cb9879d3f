// Package titles: a test of the law, for several titles.
package titles

import (
	"strings"

	"example.com/importer/lessons/labs/law"
)

// titles are tried one after the other: the shortest, an ordinary one, a long one, other letters.
var titles = []string{"", "Spring", "Spring ", strings.Repeat("Spring", 20), "Frühling", "春"}

// Failing returns the titles for which the law fails.
func Failing(set func(title string) law.Transition[law.Article]) (failing []string) {
	for _, title := range titles {
		before := law.Article{Title: "Autumn", Views: 3}
		f := set(title)
		once := f(before)
		if once.Title != f(once).Title {
			failing = append(failing, title)
		}
	}
	return failing
}
