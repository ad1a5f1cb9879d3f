package start

import (
	"regexp"
	"strings"
)

// Todo is one thing to do in a file.
type Todo struct {
	ID     string // such as 08.1
	File   string
	Line   int    // from 1 on
	Lesson string // file and anchor below lessons/
	What   string // its first words
}

var (
	marker   = regexp.MustCompile(`(?://|--) TODO (\S+) \(lessons/([^)]*)\): (.*)`)
	comment  = regexp.MustCompile(`^\s*(?://|--) (.*)`)
	firstEnd = regexp.MustCompile(`[.:;](\s|$)| \(`)
)

// Todos finds the markers, in the order of their ids.
func (p Plan) Todos() []Todo {
	var all []Todo
	for _, f := range p.Files {
		all = append(all, todosIn(f)...)
	}
	sortByID(all)
	return all
}

func todosIn(f File) []Todo {
	var found []Todo
	lines := strings.Split(string(f.Content), "\n")
	for i, line := range lines {
		match := marker.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		text := match[3]
		for _, next := range lines[i+1:] {
			more := comment.FindStringSubmatch(next)
			if more == nil || firstEnd.MatchString(text) {
				break
			}
			text += " " + more[1]
		}
		if end := firstEnd.FindStringIndex(text); end != nil {
			text = text[:end[0]]
		}
		found = append(found, Todo{ID: match[1], File: f.Name, Line: i + 1, Lesson: match[2], What: text})
	}
	return found
}
