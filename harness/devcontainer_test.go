package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The dev container brings the Go that builds the workbook.
func TestDevContainer(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(here, ".devcontainer", "devcontainer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var container struct {
		Image    string
		Features map[string]struct{ Version string }
	}
	if err := json.Unmarshal(content, &container); err != nil {
		t.Fatalf("devcontainer.json: %v", err)
	}
	least, err := workbook(here).goVersion()
	if err != nil {
		t.Fatal(err)
	}
	version := container.Features["ghcr.io/devcontainers/features/go:1"].Version
	if container.Image == "" || version == "" || !strings.HasPrefix(least, version+".") {
		t.Errorf("image %q with Go %q; the workbook wants %s", container.Image, version, least)
	}
}
