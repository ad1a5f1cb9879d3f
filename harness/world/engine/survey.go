package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

// askRegistry is how long a registry may take to say whether it has an image.
const askRegistry = 10 * time.Second

// Survey is what a run in a container would find on this machine. Nothing is started,
// pulled or removed for it.
type Survey struct {
	Docker  string   // version of the Docker engine
	Images  []Image  // Redis, and testcontainers' reaper unless it is switched off
	Orphans []string // containers that killed runs have left; the next run removes them
}

// Image is an image that a run needs.
type Image struct {
	Name    string
	Here    bool
	Trouble error // why it cannot be pulled; nil if it is here, or a registry has it
}

// Look looks over the machine. The error is ErrUnavailable, wrapped, if Docker does not
// answer.
func Look(ctx context.Context, choice Choice) (Survey, error) {
	quietLibraries()
	docker, err := reachDocker(ctx)
	if err != nil {
		return Survey{}, err
	}
	defer docker.Close()
	version, err := docker.ServerVersion(ctx, client.ServerVersionOptions{})
	if err != nil {
		return Survey{}, &unavailable{what: "Docker does not tell its version", cause: err}
	}
	s := Survey{Docker: version.Version}
	names := []string{redisImage(choice)}
	if !testcontainers.ReadConfig().Config.RyukDisabled {
		//lint:ignore SA1019 what replaces it cannot be imported, and a copy of it would go stale
		names = append(names, testcontainers.ReaperDefaultImage)
	}
	for _, name := range names {
		s.Images = append(s.Images, lookForImage(ctx, docker, name))
	}
	found, err := labelled(ctx, docker, OwnerLabel)
	if err != nil {
		return s, err
	}
	for _, c := range found {
		if from, err := parseOwner(c.Labels[OwnerLabel], c.Labels[spaceLabel]); err == nil && from.gone() {
			s.Orphans = append(s.Orphans, c.ID[:12])
		}
	}
	return s, nil
}

// lookForImage asks a registry about an image that is not here, and pulls nothing.
func lookForImage(ctx context.Context, docker *client.Client, name string) Image {
	image := Image{Name: mirrored(name)}
	_, err := docker.ImageInspect(ctx, image.Name)
	if err == nil {
		image.Here = true
		return image
	}
	if !errdefs.IsNotFound(err) {
		image.Trouble = fmt.Errorf("look for the image: %w", err)
		return image
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askRegistry, fmt.Errorf("the registry does not answer within %v", askRegistry))
	defer cancel()
	_, err = docker.DistributionInspect(ctx, image.Name, client.DistributionInspectOptions{EncodedRegistryAuth: registryAuth(ctx, image.Name)})
	if err != nil {
		image.Trouble = orCause(ctx, err)
	}
	return image
}
