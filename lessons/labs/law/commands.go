package law

import (
	"slices"
	"strconv"
)

// SetTitle is idempotent: the title is then the one that was asked for, however often.
func SetTitle(title string) Transition[Article] {
	return func(a Article) Article {
		a.Title = title
		return a
	}
}

// CountView is not: each time adds one.
func CountView(a Article) Article {
	a.Views++
	return a
}

// Create makes a new article, each time another one.
func Create(title string) Transition[Blog] {
	return func(b Blog) Blog {
		b.Made++
		return b.with("made-"+strconv.Itoa(b.Made), Article{Title: title})
	}
}

// Ensure makes sure that there is an article with this id. One that is there stays as it is: the
// command says that the article is to exist, and not what becomes of it later.
func Ensure(id, title string) Transition[Blog] {
	return func(b Blog) Blog {
		if _, exists := b.Articles[id]; exists {
			return b
		}
		return b.with(id, Article{Title: title})
	}
}

// Remove makes sure that there is no such article.
func Remove(id string) Transition[Blog] {
	return func(b Blog) Blog {
		b = b.Clone()
		delete(b.Articles, id)
		return b
	}
}

// Announce sets a title and writes to the readers about it.
func Announce(id, title string) Transition[Blog] {
	return func(b Blog) Blog {
		b = b.with(id, Article{Title: title})
		b.Letters = append(b.Letters, "now to be read: "+title)
		return b
	}
}

// CountViewInPlace counts in the map that it was given, and so changes its input. Once and twice are
// then one and the same map.
func CountViewInPlace(id string) Transition[Blog] {
	return func(b Blog) Blog {
		if article, exists := b.Articles[id]; exists {
			b.Articles[id] = CountView(article)
		}
		return b
	}
}

// SortTagsInPlace is idempotent and still wrong: whoever else holds the article finds its tags in
// another order.
func SortTagsInPlace(a Article) Article {
	slices.Sort(a.Tags)
	return a
}
