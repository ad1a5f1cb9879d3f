package lua_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/importer/lessons/labs/lua"
)

// Every script says at its top how it is called and which invariant it keeps, and some test runs it.
func TestScriptsAreExplainedAndRun(t *testing.T) {
	files, err := filepath.Glob("scripts/*.lua")
	must(t, err)
	sources, err := filepath.Glob("*.go")
	must(t, err)
	var code strings.Builder
	for _, name := range sources {
		text, err := os.ReadFile(name)
		must(t, err)
		code.Write(text)
	}
	if len(files) == 0 {
		t.Fatal("there are no scripts")
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".lua")
		t.Run(name, func(t *testing.T) {
			source := lua.Source(name)
			opening := opening(source)
			parts := []string{"-- KEYS", "-- Returns", "-- Invariant: "}
			if strings.HasPrefix(source, "#!lua name=") { // a library has parameters instead
				parts = []string{"--   keys[1]", "--   Returns", "-- Invariant: "}
			}
			for _, part := range parts {
				if !strings.Contains(opening, part) {
					t.Errorf("the opening comment has no %q", part)
				}
			}
			for _, used := range regexp.MustCompile(`(KEYS|ARGV|keys|args)\[\d\]`).FindAllString(source, -1) {
				if !strings.Contains(opening, "-- "+used) && !strings.Contains(opening, "--   "+used) {
					t.Errorf("the opening comment does not explain %s", used)
				}
			}
			if !strings.Contains(code.String(), `"`+name+`"`) {
				t.Error("nothing runs this script")
			}
		})
	}
}

// opening is the comment that a script begins with, behind its first line if that is no comment.
func opening(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		switch {
		case strings.HasPrefix(line, "#!"):
		case strings.HasPrefix(line, "--"):
			b.WriteString(line)
		default:
			return b.String()
		}
	}
	return b.String()
}
