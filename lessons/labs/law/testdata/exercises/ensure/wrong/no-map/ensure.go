// Package ensure: a command that may be given again.
package ensure

import "example.com/importer/lessons/labs/law"

// Ensure makes sure that there is an article with this id.
func Ensure(id, title string) law.Transition[law.Blog] {
	return func(b law.Blog) law.Blog {
		if _, exists := b.Articles[id]; exists {
			return b
		}
		b = b.Clone()
		b.Articles[id] = law.Article{Title: title}
		return b
	}
}
