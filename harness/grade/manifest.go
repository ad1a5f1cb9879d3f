package grade

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// ManifestFile is the name of the file that says how a submission which is not a Go
// program is built and started.
const ManifestFile = "importer.json"

// Manifest says how a submission is built and started. A command line is a list of
// words, given to the program as they are: no shell reads them. The first word is a
// program that is found on PATH or, with a slash in it, a file of the submission.
type Manifest struct {
	Build   []string // run once, in the folder; empty: there is nothing to build
	Serve   []string
	Work    []string // in a stage without a worker: what says so and exits with 2
	Seed    []string
	Enqueue []string // --job-id ID --data JSON follow
}

// errManifest marks a manifest that cannot be used: the submission's fault.
var errManifest = errors.New(ManifestFile)

// parseManifest reads a manifest, which holds nothing but its fields, each once.
func parseManifest(content []byte) (Manifest, error) {
	var m Manifest
	fields := map[string]*[]string{
		"build": &m.Build, "serve": &m.Serve, "work": &m.Work, "seed": &m.Seed, "enqueue": &m.Enqueue,
	}
	if err := strict(content, fields); err != nil {
		return m, err
	}
	for _, c := range []struct {
		name   string
		words  []string
		needed bool
	}{{"build", m.Build, false}, {"serve", m.Serve, true}, {"work", m.Work, true}, {"seed", m.Seed, true}, {"enqueue", m.Enqueue, true}} {
		if err := checkCommand(c.name, c.words, c.needed); err != nil {
			return m, err
		}
	}
	return m, nil
}

func checkCommand(field string, words []string, needed bool) error {
	switch {
	case len(words) == 0 && needed:
		return fmt.Errorf("%w: field %q is missing or empty; allowed is a list of words such as [\"python3\", \"importer.py\", %q]", errManifest, field, field)
	case len(words) == 0:
		return nil
	case words[0] == "" || slices.ContainsFunc(words, func(word string) bool { return strings.ContainsRune(word, 0) }):
		return fmt.Errorf("%w: field %q is %q; its first word must name a program, and no word may hold a zero character", errManifest, field, words)
	case strings.Contains(words[0], "/") && !filepath.IsLocal(words[0]):
		return fmt.Errorf("%w: field %q begins with %q; allowed is the name of a program on PATH, or the path of a file in the submission such as \"bin/importer\"", errManifest, field, words[0])
	}
	return nil
}

// strict reads one JSON object into fields. encoding/json alone lets pass unknown
// fields, names in another case and names that stand twice.
func strict(content []byte, fields map[string]*[]string) error {
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	decoder := json.NewDecoder(bytes.NewReader(content))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return fmt.Errorf("%w: it must hold one JSON object with the fields %s", errManifest, strings.Join(names, ", "))
	}
	seen := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return fmt.Errorf("%w: it is no JSON: %w", errManifest, err)
		}
		name, _ := token.(string) // an object's names are strings, or Token has failed
		target, known := fields[name]
		if !known {
			return fmt.Errorf("%w: there is no field %q; allowed are %s", errManifest, name, strings.Join(names, ", "))
		}
		if seen[name] {
			return fmt.Errorf("%w: field %q stands twice", errManifest, name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return fmt.Errorf("%w: field %q: it is no JSON: %w", errManifest, name, err)
		}
		if err := json.Unmarshal(value, target); err != nil || string(value) == "null" {
			return fmt.Errorf("%w: field %q is %.60s; allowed is a list of words", errManifest, name, value)
		}
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("%w: it is no JSON: %w", errManifest, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: something stands behind the JSON object", errManifest)
	}
	return nil
}
