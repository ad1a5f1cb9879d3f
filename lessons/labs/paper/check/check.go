// Package check holds the check of the exercise of this lab.
package check

import (
	"fmt"
	"strings"
	"testing"

	"example.com/importer/lessons/labs/paper"
)

// Answers checks a file of answers. Whoever has a case right is told why.
func Answers(t *testing.T, file string) {
	t.Helper()
	answers, err := paper.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range paper.Cases {
		t.Run(c.Name, func(t *testing.T) { judge(t, c, answers[c.Name]) })
	}
}

func judge(t *testing.T, c paper.Case, answer paper.Answer) {
	t.Helper()
	remarks := c.Judge(answer)
	if len(remarks) == 0 {
		t.Logf("%s: right\n%s", c.Name, c.Reason)
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: not yet", c.Name)
	for _, r := range remarks {
		if r.Said == paper.Todo {
			fmt.Fprintf(&b, "\n%-10sis not answered", r.Field)
			continue
		}
		fmt.Fprintf(&b, "\n%-10sis not %s; hint: %s", r.Field, r.Said, r.Hint)
	}
	fmt.Fprintf(&b, "\nlesson    lessons/%s", c.Lesson)
	t.Error(b.String())
}
