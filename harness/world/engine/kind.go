package engine

import "fmt"

// Kind names a source of Redis.
type Kind string

const (
	// Auto is a container where Docker allows it, and miniredis otherwise.
	Auto Kind = "auto"
	// Container is a Redis server in a container that the harness starts and removes.
	Container Kind = "container"
	// Miniredis is an imitation of Redis inside the harness: no Docker, and no proof.
	Miniredis Kind = "miniredis"
	// URL is a server that the user names.
	URL Kind = "url"
)

// ParseKind reads a Kind as a user writes it.
func ParseKind(s string) (Kind, error) {
	switch kind := Kind(s); kind {
	case Auto, Container, Miniredis, URL:
		return kind, nil
	default:
		return "", fmt.Errorf("engine %q is unknown: choose %s, %s, %s or %s", s, Auto, Container, Miniredis, URL)
	}
}
