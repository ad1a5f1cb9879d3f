package engine

import (
	"errors"
	"strings"
	"testing"
)

func TestRedisImage(t *testing.T) {
	t.Setenv(ImageVariable, "")
	if got := redisImage(Choice{}); got != DefaultImage {
		t.Errorf("by default %q, want %q", got, DefaultImage)
	}
	t.Setenv(ImageVariable, "of-the-environment:1")
	if got := redisImage(Choice{}); got != "of-the-environment:1" {
		t.Errorf("with %s set %q, want its value", ImageVariable, got)
	}
	if got := redisImage(Choice{Image: "chosen:1"}); got != "chosen:1" {
		t.Errorf("chosen %q, want the choice", got)
	}
}

// The reaper is the part of testcontainers that a user has not asked for and has to be told of.
func TestReaperMissing(t *testing.T) {
	docker, err := reachDocker(t.Context())
	if err != nil {
		t.Skip(err)
	}
	defer docker.Close()
	err = needReaper(t.Context(), docker, Choice{}, "importer-no-such-reaper:none")
	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), ryukVariable+"=true") {
		t.Errorf("got %v, want ErrUnavailable and the variable that switches the reaper off", err)
	}
}
