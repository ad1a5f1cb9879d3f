package promise

import (
	"context"
	"fmt"
	"net/http"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/relay"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// clientHangsUp: a client leaves before its answer, twice: right after its
// request, and while Redis has a command of it in hand. Its repeat with the same
// batch id gives one job, whatever became of the first request.
func clientHangsUp(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		if err := leavesAtOnce(ctx, server, saw); err != nil {
			return err
		}
		post(ctx, server, "batch-a").accepted(saw, "answer to the repeat of batch-a", "batch-a")
		waiting(ctx, server, saw, "counts after the repeat of batch-a", 1)

		if err := leavesInTheMiddle(ctx, server, saw); err != nil {
			return err
		}
		post(ctx, server, "batch-b").accepted(saw, "answer to the repeat of batch-b", "batch-b")
		waiting(ctx, server, saw, "counts after the repeat of batch-b", 2)
		return nil
	})
}

// leavesAtOnce asks for batch-a, and closes the connection when all of the
// request has been sent.
func leavesAtOnce(ctx context.Context, server *world.Server, saw *Saw) error {
	line, err := relay.Listen(ctx, server.Base)
	if err != nil {
		return fmt.Errorf("relay before the server: %w", err)
	}
	defer line.Close()
	fault := line.HangUpNext(func(*http.Request) bool { return true })
	left := shop.NewClient(line.URL(), server.HTTP.Timeout).Post(ctx, "batch-a")
	evidence, err := fault.Await(ctx)
	if err != nil || left.Status != 0 {
		saw.Missing = fmt.Sprintf("fault did not fire: the client was answered with %d (%v)", left.Status, err)
		return ctx.Err()
	}
	saw.Note("the client sent %d bytes of %s %s and hung up", evidence.Sent, evidence.Method, evidence.Path)
	return nil
}

// leavesInTheMiddle asks for batch-b, and closes the connection while its job is
// held on the way to Redis.
func leavesInTheMiddle(ctx context.Context, server *world.Server, saw *Saw) error {
	trap := server.Wire.Trap(wire.BeforeServer, naming("batch-b"))
	defer trap.Disarm()
	patient, hangUp := context.WithCancel(ctx)
	defer hangUp()
	told := make(chan answer, 1)
	go func() { told <- post(patient, server, "batch-b") }()

	caught, err := nextCaught(ctx, trap)
	hangUp()
	left := <-told
	if err != nil || left.lost == nil {
		saw.Missing = fmt.Sprintf("fault did not fire: the client was told %s (%v)", left, err)
		return ctx.Err()
	}
	caught.Release()
	saw.Note("the client hung up while %s was on its way to Redis", caught.Exchange().Name())
	return nil
}
