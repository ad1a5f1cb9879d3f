// Package ensure: a command that may be given again.
//
// Ensure is to make sure that there is an article with an id. If there is none, it makes one with the
// title. If there is one, it leaves it as it is, whatever has become of it since. As it stands, it does
// neither that nor keep its hands off the blog that it was given.
//
// Make it right. Then run: make lab LAB=law
package ensure

import "example.com/importer/lessons/labs/law"

// Ensure makes sure that there is an article with this id.
func Ensure(id, title string) law.Transition[law.Blog] {
	return func(b law.Blog) law.Blog {
		if b.Articles == nil {
			b.Articles = map[string]law.Article{}
		}
		b.Articles[id] = law.Article{Title: title}
		b.Made++
		return b
	}
}
