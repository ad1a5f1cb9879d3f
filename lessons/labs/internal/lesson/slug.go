package lesson

import (
	"fmt"
	"strings"
	"unicode"
)

// slugger makes the anchors of headings as GitHub does, and remembers which are taken.
type slugger map[string]int

func (s slugger) next(heading string) string {
	slug := slug(heading)
	for {
		n := s[slug]
		s[slug] = n + 1
		if n == 0 {
			return slug
		}
		slug = fmt.Sprintf("%s-%d", slug, n)
	}
}

// slug is the heading in lower case, with hyphens for spaces and without punctuation.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}
