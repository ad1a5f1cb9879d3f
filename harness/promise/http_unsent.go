package promise

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// neverArrived: the job is lost on its way to Redis. 202 would promise work that
// nobody knows of, so the client must be told 503, or 202 only because the server
// has sent the job again.
func neverArrived(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		trap := server.Wire.Trap(wire.BeforeServer, naming("batch-a"))
		defer trap.Disarm()
		told := make(chan answer, 1)
		go func() { told <- post(ctx, server, "batch-a") }()
		caught, err := nextCaught(ctx, trap)
		if err != nil {
			saw.Missing = fmt.Sprintf("fault did not fire: no command with the batch id was sent to Redis (%v)", err)
			<-told
			return ctx.Err()
		}
		caught.Cut()
		trap.Disarm()
		first := <-told
		saw.Note("%s with the batch id was cut off before Redis; the client was told: %s", caught.Exchange().Name(), first)

		if err := untilOK(ctx, w, server, importsPath); err != nil {
			return err
		}
		job := get(ctx, server, importsPath+"/shipment-batch-a")
		if first.Status == http.StatusAccepted {
			job.must(saw, job.Status == http.StatusOK, "job that a 202 was given for, though its way to Redis was cut", "stored")
		} else {
			first.refused(saw, "answer to a POST whose job did not reach Redis", http.StatusServiceUnavailable, "redis_unavailable")
			job.refused(saw, "job after the 503", http.StatusNotFound, "not_found")
		}
		post(ctx, server, "batch-a").accepted(saw, "answer to the repeat of batch-a", "batch-a")
		waiting(ctx, server, saw, "counts after the repeat of batch-a", 1)
		return nil
	})
}

// naming matches the commands on the queue that say this batch id: whichever
// stores the job is the first of them.
func naming(batch string) func(wire.Command) bool {
	return func(c wire.Command) bool {
		return c.Touches(shop.QueuePrefix) && strings.Contains(strings.Join(c.Args, " "), batch)
	}
}

// nextCaught waits a bounded time for a command in the trap.
func nextCaught(ctx context.Context, trap *wire.Trap) (*wire.Caught, error) {
	ctx, cancel := context.WithTimeout(ctx, inTime)
	defer cancel()
	return trap.Next(ctx)
}
