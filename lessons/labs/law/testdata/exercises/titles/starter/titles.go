// Package titles: a test of the law, for several titles.
//
// Failing is given a command that sets a title, and says for which of your titles the law F(F(s)) = F(s)
// fails. As it stands, it gives the command to the same article twice and compares the two outcomes.
// That is another question. And it tries one title, and looks at nothing else of the article.
//
// Make it right. It will be given commands that are wrong for one kind of title only.
// Then run: make lab LAB=law
package titles

import "example.com/importer/lessons/labs/law"

// titles are tried one after the other.
var titles = []string{"Spring"}

// Failing returns the titles for which the law fails.
func Failing(set func(title string) law.Transition[law.Article]) (failing []string) {
	for _, title := range titles {
		before := law.Article{Title: "Autumn", Views: 3}
		f := set(title)
		if f(before).Title != f(before).Title {
			failing = append(failing, title)
		}
	}
	return failing
}
