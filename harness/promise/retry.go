package promise

import (
	"context"
	"fmt"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/wire"
)

// boundedRetries cuts the connection before every attempt's stock command, so
// that no attempt can succeed: the job must fail after the attempts it was given,
// with growing pauses between them.
func boundedRetries(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const attempts = 4
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_ATTEMPTS": fmt.Sprint(attempts), "IMPORTER_BACKOFF": "40ms"}
		server, worker, err := w.Start(ctx, "worker", settings)
		if err != nil {
			return err
		}
		cuts := cutAll(ctx, worker.TrapStock(wire.BeforeServer))
		saw.Equal("answer", 202, server.Post(ctx, "batch-a").Status)
		job, err := w.UntilJob(ctx, server, "shipment-batch-a", "completed", "failed")
		fired := cuts.stop()
		if err != nil {
			return err
		}
		if len(fired) == 0 {
			saw.Missing = "fault did not fire: the worker sent no stock command"
			return nil
		}
		saw.Note("the connection was cut %d times, each time before Redis saw %s", len(fired), fired[0].Name())
		saw.Equal("state of the job", "failed", job.State)
		saw.Equal("attempts", attempts, job.Attempts)
		saw.Equal("stock commands on the wire, one for each attempt and none behind its back", attempts, len(fired))
		saw.True(job.Error != "", "error of the job", "a reason", "none")
		retries := 0
		for _, line := range worker.Logs() {
			if line.Event == "job_retry" {
				retries++
				for _, field := range []string{"attempt", "pause", "reason"} {
					saw.True(line.Fields[field] != nil, "log line job_retry", "a field "+field, line.Text)
				}
			}
		}
		saw.Equal("log lines job_retry", attempts-1, retries)
		return saw.stock(ctx, w, 0)
	})
}

// overallDeadline gives a job more attempts than its deadline has room for.
func overallDeadline(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_ATTEMPTS": "100", "IMPORTER_BACKOFF": "20ms", "IMPORTER_DEADLINE": "400ms"}
		server, worker, err := w.Start(ctx, "worker", settings)
		if err != nil {
			return err
		}
		// A first job tells that the worker is at work: its start is not to count.
		if _, err := server.Accept(ctx, "batch-warm"); err != nil {
			return err
		}
		if _, err := w.UntilJob(ctx, server, "shipment-batch-warm", "completed", "failed"); err != nil {
			return err
		}
		cuts := cutAll(ctx, worker.TrapStock(wire.BeforeServer))
		posted := time.Now()
		saw.Equal("answer", 202, server.Post(ctx, "batch-a").Status)
		job, err := w.UntilJob(ctx, server, "shipment-batch-a", "completed", "failed")
		fired := cuts.stop()
		if err != nil {
			return err
		}
		if len(fired) == 0 {
			saw.Missing = "fault did not fire: the worker sent no stock command"
			return nil
		}
		last := fired[len(fired)-1].Read.Sub(posted)
		saw.Equal("state of the job", "failed", job.State)
		saw.True(job.Attempts < 100, "attempts", "as many as fit into the deadline", fmt.Sprint(job.Attempts))
		// The last attempt may begin just before the deadline and be on its way a
		// little longer; a second of that is a slow machine and no policy.
		saw.True(last < 1400*time.Millisecond, "begin of the last attempt", "within the deadline of 400ms", last.String())
		saw.Note("%d attempts, the last %dms after the request, with a deadline of 400ms", job.Attempts, last.Milliseconds())
		return saw.stock(ctx, w, 1)
	})
}

// openRepeat drops the reply of the apply once. The repeat must be the job's own
// retry, counted as an attempt, and not the client library's.
func openRepeat(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, worker, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		// A first batch, so that whatever happens once only (a script that has to be
		// loaded) has happened.
		saw.Equal("answer", 202, server.Post(ctx, "batch-warm").Status)
		if _, err := w.UntilJob(ctx, server, "shipment-batch-warm", "completed", "failed"); err != nil {
			return err
		}
		before := len(worker.StockCommands())
		trap := worker.TrapStock(wire.AfterServer)
		saw.Equal("answer", 202, server.Post(ctx, "batch-a").Status)
		caught, err := world.CatchWhen(ctx, trap, func() (bool, error) { return w.Applied(ctx, 2) })
		if err != nil {
			return saw.unproven(err)
		}
		first := len(worker.StockCommands()) - before
		caught.Cut()
		trap.Disarm()
		job, err := w.UntilJob(ctx, server, "shipment-batch-a", "completed", "failed")
		if err != nil {
			return err
		}
		commands := len(worker.StockCommands()) - before
		saw.Note("%d stock commands in the first attempt, whose last reply was dropped; %d in all", first, commands)
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		saw.Equal("attempts", 2, job.Attempts)
		saw.True(commands <= 2*first, "stock commands on the wire", fmt.Sprintf("at most %d, the same for each of 2 attempts", 2*first), fmt.Sprint(commands))
		return saw.stock(ctx, w, 2)
	})
}
