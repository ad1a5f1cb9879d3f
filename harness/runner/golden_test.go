package runner_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what a learner reads with what is kept in a file.
func golden(t *testing.T, path string, found results.Results) {
	t.Helper()
	var out bytes.Buffer
	report.Terminal(&out, found, false)
	read := normal(out.String())
	if *update {
		if err := os.WriteFile(path, []byte(read), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(kept), read); diff != "" {
		t.Errorf("what the learner reads is another text (-kept +read):\n%s", diff)
	}
}

// What differs from run to run, and what is put in its place.
var varies = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(` on (Redis|miniredis)[^\n]*`), " on REDIS"},
	{regexp.MustCompile(`127\.0\.0\.[12]:\d+`), "HOST:PORT"},
	{regexp.MustCompile(`\b\d+(\.\d+)?(h|m|ms|µs|ns|s)(\d+(\.\d+)?(m|s))*\b`), "TIME"},
	{regexp.MustCompile(`\b[0-9a-f]{16,}\b`), "HEX"},
	{regexp.MustCompile(`worker-[0-9A-Z]{26}`), "worker-NAME"},
	{regexp.MustCompile(`shipment-[A-Z2-7]{26}`), "shipment-NAME"},
	{regexp.MustCompile(`(?m)(seen: +)\d+$`), "${1}NUMBER"},
	{regexp.MustCompile(`\\xa0`), " "}, // go-cmp takes either kind of space, at random
	{regexp.MustCompile(`generation \d+`), "generation N"},
	{regexp.MustCompile(`float64\(\d+\)`), "float64(N)"},
	{regexp.MustCompile(`, at a second look`), ""},
}

// normal is a report without what differs from run to run: the words of the programs,
// the evidence, times, ports.
func normal(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "| "), strings.HasPrefix(trimmed, "evidence, "), strings.HasPrefix(trimmed, "- "),
			trimmed == "last lines of the programs:", strings.HasPrefix(trimmed, "rehearsed on"), trimmed == "":
			continue
		}
		kept = append(kept, strings.TrimRight(line, " \n"))
	}
	text = strings.Join(kept, "\n") + "\n"
	for _, v := range varies {
		text = v.what.ReplaceAllString(text, v.as)
	}
	return object.ReplaceAllStringFunc(text, sorted)
}

// object is one object of JSON. In which order a script writes its fields is the server's affair.
var object = regexp.MustCompile(`\{"[^{}\n]*\}`)

func sorted(object string) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(object), &fields) != nil {
		return object // a part of one
	}
	text, err := json.Marshal(fields) // in the order of their names
	if err != nil {
		return object
	}
	return string(text)
}
