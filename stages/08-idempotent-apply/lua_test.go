package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every script says at its top how it is called and which invariant it keeps,
// and is used by the program.
func TestScriptsAreExplainedAndUsed(t *testing.T) {
	files, err := filepath.Glob("lua/*.lua")
	must(t, err)
	sources, err := filepath.Glob("*.go")
	must(t, err)
	var program strings.Builder
	for _, name := range sources {
		if !strings.HasSuffix(name, "_test.go") {
			text, err := os.ReadFile(name)
			must(t, err)
			program.Write(text)
		}
	}
	if len(files) == 0 {
		t.Fatal("there are no scripts")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			must(t, err)
			var opening strings.Builder
			for line := range strings.Lines(string(text)) {
				if !strings.HasPrefix(line, "--") {
					break
				}
				opening.WriteString(line)
			}
			for _, part := range []string{"-- KEYS[1]", "-- ARGV", "-- Returns", "-- Invariant: "} {
				if !strings.Contains(opening.String(), part) {
					t.Errorf("the opening comment has no %q", part)
				}
			}
			for _, used := range regexp.MustCompile(`(KEYS|ARGV)\[\d\]`).FindAllString(string(text), -1) {
				if !strings.Contains(opening.String(), "-- "+used) {
					t.Errorf("the opening comment does not explain %s", used)
				}
			}
			name := strings.TrimSuffix(filepath.Base(file), ".lua")
			variable := regexp.MustCompile(`(\w+)\s+= newScript\("` + name + `"\)`).FindStringSubmatch(program.String())
			if variable == nil || !strings.Contains(program.String(), variable[1]+".run(") {
				t.Errorf("the program does not use script %q", name)
			}
		})
	}
}
