package engine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/moby/moby/client"
)

// Docker is the Docker engine, for containers that are no Redis. They are labelled as the
// harness's own, so that Leftovers knows them and a later run removes them if this one is
// killed. Whoever reaches one closes it.
type Docker struct {
	*client.Client
	run      string
	progress func(string)
}

// ReachDocker looks for Docker, and removes what killed runs have left there. The error
// wraps ErrUnavailable.
func ReachDocker(ctx context.Context, progress func(string)) (*Docker, error) {
	quietLibraries()
	docker, err := reachDocker(ctx)
	if err != nil {
		return nil, err
	}
	d := &Docker{Client: docker, run: rand.Text(), progress: progress}
	if err := removeOrphans(ctx, docker, Choice{Progress: progress}); err != nil {
		Choice{Progress: progress}.progress("containers of killed runs may be left: %v", err)
	}
	return d, nil
}

// Local says whether the engine runs on this machine, so that folders can be mounted.
func (d *Docker) Local() bool { return isLocal(d.Client) }

// Labels are those of a container of this run.
func (d *Docker) Labels() map[string]string { return labels(d.run) }

// NeedImage pulls an image unless it is here.
func (d *Docker) NeedImage(ctx context.Context, image string) error {
	if err := needImage(ctx, d.Client, Choice{Progress: d.progress}, image); err != nil {
		return &unavailable{what: fmt.Sprintf("image %s is not here and cannot be pulled", image), cause: err}
	}
	return nil
}

// Remove removes a container, running or not, and is content if it is gone.
func (d *Docker) Remove(ctx context.Context, id string) error { return remove(ctx, d.Client, id) }

// RemoveAll removes all containers of this run, and returns when Docker knows none of them
// any more: it may be removing some by itself, which takes its time.
func (d *Docker) RemoveAll(ctx context.Context) error {
	for {
		found, err := labelled(ctx, d.Client, runLabel+"="+d.run)
		if err != nil || len(found) == 0 {
			return err
		}
		var errs []error
		for _, c := range found {
			errs = append(errs, remove(ctx, d.Client, c.ID))
		}
		if err := errors.Join(errs...); err != nil {
			return err
		}
		select {
		case <-time.After(pingPause):
		case <-ctx.Done():
			return fmt.Errorf("%d containers are not gone yet: %w", len(found), ctx.Err())
		}
	}
}

// Unavailable is ErrUnavailable with a reason, for what else a machine may lack.
func Unavailable(what string, cause error) error { return &unavailable{what: what, cause: cause} }
