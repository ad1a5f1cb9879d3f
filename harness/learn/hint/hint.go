// Package hint helps with a rule that broke, a little at a time: first a question,
// then where to look, then nearly the answer.
package hint

import (
	"fmt"
	"slices"
	"strings"

	"example.com/importer/harness/matrix"
)

// Levels is how many levels there are: 1 to Levels.
const Levels = 3

// For is the hint of a rule; false if the table has none.
func For(rule matrix.Rule) (Hint, bool) {
	i := slices.IndexFunc(Table, func(h Hint) bool { return h.Rule == rule })
	if i < 0 {
		return Hint{}, false
	}
	return Table[i], true
}

// FilesIn are the files to look into, of those that are there.
func (h Hint) FilesIn(there func(name string) bool) []string {
	var files []string
	for _, name := range h.Files {
		if there(name) {
			files = append(files, name)
		}
	}
	return files
}

// Section is a lesson's section as a person finds it: its file, and its heading as the
// anchor tells it.
func Section(lesson string) string {
	file, anchor, _ := strings.Cut(lesson, "#")
	return fmt.Sprintf("lessons/%s, \"%s\"", file, strings.ReplaceAll(anchor, "-", " "))
}
