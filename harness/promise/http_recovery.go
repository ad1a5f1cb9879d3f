package promise

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/importer/harness/world"
)

// over brings Redis back: the same process works again, nothing was stored
// behind the clients' backs, and their repeats store one job each.
func (o outage) over(ctx context.Context, w *world.World, server *world.Server, saw *Saw, before int, batches []string) error {
	if err := server.Wire.Pass(); err != nil {
		return fmt.Errorf("end the outage: %w", err)
	}
	back := time.Now()
	if err := untilOK(ctx, w, server, importsPath); err != nil {
		return err
	}
	waiting(ctx, server, saw, "counts when Redis was back, before anybody asked again", before)
	for _, batch := range batches {
		about := "202 for the repeat of " + batch + " after " + o.what
		var seen answer
		err := w.Until(ctx, about, func(ctx context.Context) (bool, error) {
			seen = post(ctx, server, batch)
			return seen.lost == nil && seen.Status < 500, nil
		})
		if err != nil {
			return err
		}
		seen.accepted(saw, about, batch)
	}
	saw.Note("the same process had answered 202 to %d repeats %v after Redis was back", len(batches), time.Since(back).Round(time.Millisecond))
	if err := untilOK(ctx, w, server, "/healthz"); err != nil {
		return err
	}
	waiting(ctx, server, saw, "counts after every client asked again", before+len(batches))
	return nil
}

// untilOK asks until the server answers 200: connections that died in the outage
// may have to be found out first.
func untilOK(ctx context.Context, w *world.World, server *world.Server, path string) error {
	return w.Until(ctx, "200 for GET "+path+" now that Redis answers again", func(ctx context.Context) (bool, error) {
		if exit, over := server.Exit(); over {
			return false, &world.ProgramError{What: server.Name() + " " + exit.String() + ", and Redis was only away for a while"}
		}
		seen := get(ctx, server, path)
		return seen.lost == nil && seen.Status == http.StatusOK, nil
	})
}
