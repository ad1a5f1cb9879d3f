package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/authconfig"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

const (
	// DefaultImage is the Redis that the lessons' numbers were made with.
	DefaultImage = "redis:8.4"
	// ImageVariable names the environment variable that replaces DefaultImage.
	ImageVariable = "HARNESS_REDIS_IMAGE"

	ryukVariable = "TESTCONTAINERS_RYUK_DISABLED"

	// A registry has this long to begin its answer, and then this long between two signs of life.
	// There is no limit on the whole: a slow line is not a broken one.
	firstAnswer = 10 * time.Second
	nextAnswer  = 30 * time.Second
)

// redisImage is the image to start, as the Docker engine knows it.
func redisImage(choice Choice) string {
	switch {
	case choice.Image != "":
		return choice.Image
	case os.Getenv(ImageVariable) != "":
		return os.Getenv(ImageVariable)
	default:
		return DefaultImage
	}
}

// needImages makes sure that all images are here before testcontainers is asked to use them: it
// would try to pull a missing one for a quarter of an hour, and would take an interrupted pull for
// a finished one.
func needImages(ctx context.Context, docker *client.Client, choice Choice, image string) error {
	if err := needImage(ctx, docker, choice, image); err != nil {
		return &unavailable{what: fmt.Sprintf("image %s is not here and cannot be pulled", image),
			cause: fmt.Errorf("%w; build one with `make redis-image`, or name one you have in %s", err, ImageVariable)}
	}
	if testcontainers.ReadConfig().Config.RyukDisabled {
		return nil
	}
	//lint:ignore SA1019 what replaces it cannot be imported, and a copy of it would go stale
	return needReaper(ctx, docker, choice, testcontainers.ReaperDefaultImage)
}

// needReaper wants the image of the container that tidies up after a killed process.
func needReaper(ctx context.Context, docker *client.Client, choice Choice, image string) error {
	if err := needImage(ctx, docker, choice, image); err != nil {
		return &unavailable{what: fmt.Sprintf("testcontainers' reaper, image %s, is not here and cannot be pulled", image),
			cause: fmt.Errorf("%w; set %s=true to go without it: the harness removes its containers itself", err, ryukVariable)}
	}
	return nil
}

func needImage(ctx context.Context, docker *client.Client, choice Choice, image string) error {
	image = mirrored(image)
	_, err := docker.ImageInspect(ctx, image)
	if err == nil {
		return nil
	}
	if !errdefs.IsNotFound(err) {
		return fmt.Errorf("look for the image: %w", err)
	}
	choice.progress("pulling %s", image)
	return pull(ctx, docker, choice, image)
}

func pull(ctx context.Context, docker *client.Client, choice Choice, image string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(firstAnswer, func() { cancel(errors.New("the registry does not answer")) })
	defer silence.Stop()

	stream, err := docker.ImagePull(ctx, image, client.ImagePullOptions{RegistryAuth: registryAuth(ctx, image)})
	if err != nil {
		return orCause(ctx, err)
	}
	for message, err := range stream.JSONMessages(ctx) {
		silence.Reset(nextAnswer)
		switch {
		case err != nil:
			return orCause(ctx, err)
		case message.Error != nil:
			return message.Error
		case message.Progress == nil: // the others count bytes, far too often
			choice.progress("pulling %s: %s", image, strings.TrimSpace(message.ID+" "+message.Status))
		}
	}
	return nil
}

// orCause prefers the reason for which a context ended to the library's "context canceled".
func orCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// registryAuth is what the user's Docker configuration holds for the image's registry. Public
// images need none, so having none is no error.
func registryAuth(ctx context.Context, image string) string {
	_, auth, err := testcontainers.DockerImageAuth(ctx, image)
	if err != nil {
		return ""
	}
	encoded, err := authconfig.Encode(auth)
	if err != nil {
		return ""
	}
	return encoded
}

// mirrored is the name under which testcontainers will look for a Docker Hub image when the user
// told it of a mirror.
func mirrored(image string) string {
	prefix := testcontainers.ReadConfig().Config.HubImageNamePrefix
	registry, _, hasRegistry := strings.Cut(image, "/")
	if prefix == "" || hasRegistry && strings.ContainsAny(registry, ".:") {
		return image
	}
	return path.Join(prefix, image)
}
