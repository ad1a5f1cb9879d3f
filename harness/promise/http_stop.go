package promise

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// stopsCleanly: asked to stop, a server ends with status 0, and whoever it was
// serving just then is not told anything that is not so.
func stopsCleanly(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		idle, err := w.Serve(ctx, "idle server", nil)
		if err != nil {
			return err
		}
		post(ctx, idle, "batch-a").accepted(saw, "answer to POST of batch-a", "batch-a")
		asked := time.Now()
		if err := w.Stop(ctx, idle.Program); err != nil {
			return err
		}
		saw.Note("an idle server ended with status 0 %v after SIGTERM", time.Since(asked).Round(time.Millisecond))

		told, err := stoppedWhileServing(ctx, w, saw)
		if err != nil {
			return err
		}
		next, err := w.Serve(ctx, "next server", nil)
		if err != nil {
			return err
		}
		stored := get(ctx, next, importsPath+"/shipment-batch-b")
		if told.Status == http.StatusAccepted {
			stored.must(saw, stored.Status == http.StatusOK, "job of batch-b, which the stopping server had answered with 202", "stored")
		}
		post(ctx, next, "batch-b").accepted(saw, "answer of the next server to the repeat of batch-b", "batch-b")
		waiting(ctx, next, saw, "counts after the repeat of batch-b", 2)
		return nil
	})
}

// stoppedWhileServing asks for batch-b, holds its job on the way to Redis, and
// asks the server to stop. The job goes on when the server takes no new requests
// any more.
func stoppedWhileServing(ctx context.Context, w *world.World, saw *Saw) (answer, error) {
	server, err := w.Serve(ctx, "busy server", nil)
	if err != nil {
		return answer{}, err
	}
	trap := server.Wire.Trap(wire.BeforeServer, naming("batch-b"))
	defer trap.Disarm()
	var told answer
	var story errgroup.Group
	story.Go(func() error {
		told = post(ctx, server, "batch-b")
		return nil
	})
	caught, err := nextCaught(ctx, trap)
	if err != nil {
		saw.Missing = fmt.Sprintf("fault did not fire: no command for Redis was held (%v)", err)
		return told, story.Wait()
	}
	trap.Disarm()
	asked := time.Now()
	story.Go(func() error { return w.Stop(ctx, server.Program) })
	err = w.Until(ctx, "after SIGTERM the server takes no new requests", func(ctx context.Context) (bool, error) {
		seen := get(ctx, server, "/healthz")
		return seen.lost != nil || seen.Status != http.StatusOK, nil
	})
	caught.Release()
	if stopErr := story.Wait(); err == nil {
		err = stopErr
	}
	if err != nil {
		return told, err
	}
	refused := told.lost != nil || told.is(http.StatusServiceUnavailable, problemType)
	told.must(saw, refused || told.is(http.StatusAccepted, jsonType), "answer to the POST that was in hand at SIGTERM",
		"202, a 503 problem, or a closed connection")
	saw.Note("SIGTERM came while %s was on its way to Redis; the client was told: %s; the server ended with status 0 %v after SIGTERM",
		caught.Exchange().Name(), told, time.Since(asked).Round(time.Millisecond))
	return told, nil
}
