package law

import "pgregory.net/rapid"

// ids are few, so that commands meet the articles of the state often enough.
var ids = []string{"a", "b", "c"}

// Articles draws articles of all kinds.
func Articles() *rapid.Generator[Article] {
	return rapid.Custom(func(t *rapid.T) Article {
		return Article{
			Title: rapid.String().Draw(t, "title"),
			Views: rapid.IntRange(0, 1_000_000).Draw(t, "views"),
			Tags:  rapid.SliceOfN(rapid.StringMatching(`[a-z]{1,3}`), 0, 3).Draw(t, "tags"),
		}
	})
}

// Blogs draws blogs with none to three articles and with letters that were sent before.
func Blogs() *rapid.Generator[Blog] {
	return rapid.Custom(func(t *rapid.T) Blog {
		b := Blog{
			Articles: rapid.MapOfN(rapid.SampledFrom(ids), Articles(), 0, len(ids)).Draw(t, "articles"),
			Made:     rapid.IntRange(0, 3).Draw(t, "made"),
			Letters:  rapid.SliceOfN(rapid.StringMatching(`letter [a-z]`), 0, 2).Draw(t, "letters"),
		}
		if len(b.Articles) == 0 {
			b.Articles = nil // as a new blog has it, and more of a trap than an empty map
		}
		return b
	})
}
