package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	for name, arguments := range map[string][]string{
		"no lab":       nil,
		"empty":        {""},
		"two labs":     {"law", "ledger"},
		"unknown lab":  {"lore"},
		"path outside": {"../labs/law"},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(t.Context(), ".", arguments, &stdout, &stderr); status != 2 || !strings.Contains(stderr.String(), "law") || stdout.Len() > 0 {
			t.Errorf("%s: status %d, said %q and %q, want 2 and the labs there are", name, status, &stdout, &stderr)
		}
	}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), t.TempDir(), []string{"law"}, &stdout, &stderr); status != 3 {
		t.Errorf("outside of the labs: status %d, want 3: %s", status, &stderr)
	}
}
