package program

import (
	"slices"
	"strings"
)

// buildPass are the variables of ours that the go tool gets: where its files
// lie, where modules come from, and how to reach them. Not everything that
// begins with GO: GOOGLE_API_KEY does, and GOOS would build a program that
// cannot run here.
var buildPass = []string{
	"HOME", "PATH", "TMPDIR",
	"GOROOT", "GOPATH", "GOCACHE", "GOMODCACHE", "GOTMPDIR", "GOENV",
	"GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GOINSECURE", "GOVCS", "GOAUTH",
	"GOMAXPROCS", "GOMEMLIMIT", "GOGC", "GODEBUG", "GOTELEMETRY",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR",
}

// buildSettings make a build the same on every machine: no workspace above the
// stage, no toolchain fetched, no go.mod rewritten, no C compiler needed.
var buildSettings = []string{
	"GOWORK=off",
	"GOTOOLCHAIN=local",
	"GOFLAGS=-mod=readonly -buildvcs=false",
	"CGO_ENABLED=0",
}

// buildEnvironment picks from all, each "NAME=value", what the go tool gets.
func buildEnvironment(all []string) []string {
	var env []string
	for _, kv := range all {
		name, _, _ := strings.Cut(kv, "=")
		if slices.Contains(buildPass, name) || strings.HasPrefix(name, "XDG_") {
			env = append(env, kv)
		}
	}
	return append(env, buildSettings...)
}
