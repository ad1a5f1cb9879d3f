package law

import (
	"maps"
	"slices"
)

// Article is what readers see.
type Article struct {
	Title string
	Views int
	Tags  []string
}

// Blog is the state of the examples. What is not in it cannot be compared: a law that holds for a
// Blog says nothing about letters unless Letters is one of its fields.
type Blog struct {
	Articles map[string]Article // by id
	Made     int                // how many ids the blog has given out
	Letters  []string           // sent to the readers, the oldest first
}

// Clone shares no map and no slice with b.
func (b Blog) Clone() Blog {
	b.Articles = maps.Clone(b.Articles)
	for id, article := range b.Articles {
		b.Articles[id] = article.Clone()
	}
	b.Letters = slices.Clone(b.Letters)
	return b
}

// Clone shares no slice with a.
func (a Article) Clone() Article {
	a.Tags = slices.Clone(a.Tags)
	return a
}

// with is the blog with one article more, or in the place of another.
func (b Blog) with(id string, article Article) Blog {
	b = b.Clone()
	if b.Articles == nil {
		b.Articles = map[string]Article{}
	}
	b.Articles[id] = article
	return b
}
