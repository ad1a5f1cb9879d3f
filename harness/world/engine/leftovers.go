package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
)

const (
	// OwnerLabel is on every container of the harness; its value is pid@host of the process that
	// started it.
	OwnerLabel = "org.importer.harness"

	spaceLabel   = OwnerLabel + ".space"
	startedLabel = OwnerLabel + ".started"
	runLabel     = OwnerLabel + ".run"
)

func labels(run string) map[string]string {
	me := self()
	return map[string]string{
		OwnerLabel:   me.String(),
		spaceLabel:   me.space,
		startedLabel: time.Now().UTC().Format(time.RFC3339),
		runLabel:     run,
	}
}

// Leftovers lists the containers that this process started and that are still there.
func Leftovers(ctx context.Context) ([]string, error) {
	docker, err := reachDocker(ctx)
	if err != nil {
		return nil, err
	}
	defer docker.Close()
	found, err := labelled(ctx, docker, OwnerLabel+"="+self().String())
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range found {
		names = append(names, c.ID[:12]+" of "+c.Image)
	}
	return names, nil
}

// removeOrphans removes the containers of harnesses that were killed before they could.
func removeOrphans(ctx context.Context, docker *client.Client, choice Choice) error {
	found, err := labelled(ctx, docker, OwnerLabel)
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range found {
		from, err := parseOwner(c.Labels[OwnerLabel], c.Labels[spaceLabel])
		if err != nil || !from.gone() {
			continue
		}
		choice.progress("removing container %s, left by process %s at %s", c.ID[:12], from, c.Labels[startedLabel])
		errs = append(errs, remove(ctx, docker, c.ID))
	}
	return errors.Join(errs...)
}

func labelled(ctx context.Context, docker *client.Client, label string) ([]container.Summary, error) {
	list, err := docker.ContainerList(ctx, client.ContainerListOptions{
		All:     true,
		Filters: make(client.Filters).Add("label", label),
	})
	if err != nil {
		return nil, fmt.Errorf("list containers with label %s: %w", label, err)
	}
	return list.Items, nil
}

// remove is content when somebody else removes the container at the same time.
func remove(ctx context.Context, docker *client.Client, id string) error {
	_, err := docker.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
	if err != nil && !errdefs.IsNotFound(err) && !errdefs.IsConflict(err) {
		return fmt.Errorf("remove container %s: %w", id, err)
	}
	return nil
}
