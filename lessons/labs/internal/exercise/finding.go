package exercise

import "strings"

// Finding is what a check tells the learner, with t.Error or t.Fatal. It gives a hint and never the
// solution.
type Finding struct {
	Expected string
	Seen     string
	Because  string // the rule, in one sentence
	Hint     string
	Lesson   string // file and section, such as unknown-results.md#the-law
}

// String is one line for each part that is there.
func (f Finding) String() string {
	var b strings.Builder
	for _, part := range []struct{ name, text string }{
		{"expected", f.Expected},
		{"seen", f.Seen},
		{"because", f.Because},
		{"hint", f.Hint},
		{"lesson", f.Lesson},
	} {
		if part.text == "" {
			continue
		}
		text := part.text
		if part.name == "lesson" {
			text = "lessons/" + text
		}
		indented := strings.ReplaceAll(text, "\n", "\n          ")
		b.WriteString("\n" + part.name + strings.Repeat(" ", 10-len(part.name)) + indented)
	}
	return strings.TrimPrefix(b.String(), "\n")
}
