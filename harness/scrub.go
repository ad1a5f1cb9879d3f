package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

// keptVariables are the variables that a grade needs itself: where tools and files lie, how the
// Docker engine is reached, what colours are wanted, where a GitHub job reads.
var keptVariables = []string{
	"HOME", "PATH", "TMPDIR", "TERM", "NO_COLOR", "LANG", "XDG_RUNTIME_DIR",
	"GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV", "GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB",
	"GOPRIVATE", "GOMAXPROCS", "GOFLAGS", "GOWORK", "GOTOOLCHAIN", "GOCOVERDIR",
	"DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "DOCKER_CONFIG", "DOCKER_API_VERSION",
	"HARNESS_REDIS_IMAGE", "SSL_CERT_FILE", "SSL_CERT_DIR", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY",
}

// scrub starts the harness anew with what it needs of its environment and nothing else.
// The submission does not inherit it anyway; but a process of the same user can read
// the environment that another one was started with, and the first place to look is
// its parent. (What the parent's parent was started with is out of reach from here.)
func scrub() error {
	var rest []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(keptVariables, name) || strings.HasPrefix(name, "TESTCONTAINERS_") {
			rest = append(rest, kv)
		}
	}
	if len(rest) == len(os.Environ()) {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the harness itself: %w", err)
	}
	return fmt.Errorf("start %s anew: %w", self, syscall.Exec(self, os.Args, rest)) // returns only if it fails
}
