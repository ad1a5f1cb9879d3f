package promise

import (
	"context"
	"fmt"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// boundedRetries cuts the connection before every attempt's stock command, so
// that no attempt can succeed: the job must fail after the attempts it was given.
func boundedRetries(ctx context.Context, lab *world.Lab, saw *Saw) error {
	if err := failsAfter(ctx, lab, saw, 4, "4"); err != nil {
		return err
	}
	saw.Where = "without a setting of the attempts: "
	return failsAfter(ctx, lab, saw, 5, world.Unset)
}

func failsAfter(ctx context.Context, lab *world.Lab, saw *Saw, attempts int, setting string) error {
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_ATTEMPTS": setting, "IMPORTER_BACKOFF": "20ms"}
		server, worker, err := w.Start(ctx, "worker", settings)
		if err != nil {
			return err
		}
		cuts := cutAll(ctx, worker.TrapStock(wire.BeforeServer))
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		job, err := w.UntilEnded(ctx, server, "batch-a")
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
		if _, err := server.Accept(ctx, "batch-warm"); err != nil {
			return err
		}
		if _, err := w.UntilEnded(ctx, server, "batch-warm"); err != nil {
			return err
		}
		before := len(worker.StockCommands())
		trap := worker.TrapStock(wire.AfterServer)
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		caught, err := world.CatchWhen(ctx, trap, func() (bool, error) { return w.Applied(ctx, 2) })
		if err != nil {
			return err
		}
		first := len(worker.StockCommands()) - before
		// A program may end the job in the command that changes the stock. Then nobody has
		// anything to repeat.
		then, err := server.Job(ctx, shop.JobID("batch-a"))
		if err != nil {
			return err
		}
		attempts := 2
		if then != nil && then.State == "completed" {
			attempts = 1
		}
		caught.Cut()
		trap.Disarm()
		job, err := w.UntilEnded(ctx, server, "batch-a")
		if err != nil {
			return err
		}
		commands := len(worker.StockCommands()) - before
		// Stock that the repeat has made wrong is another fault than a repeat that nobody counts, and how
		// many commands such a program sends tells nothing.
		found := len(saw.Findings)
		if err := saw.stock(ctx, w, 2); err != nil {
			return err
		}
		if saw.Under(matrix.RepeatAddsNothing, found) {
			return nil
		}
		saw.Note("%d stock commands in the first attempt, whose last reply was dropped; %d in all", first, commands)
		saw.Equal("state of the job", "completed", job.State+withReason(job.Error))
		saw.Equal("attempts", attempts, job.Attempts)
		saw.True(commands <= 2*first, "stock commands on the wire", fmt.Sprintf("at most %d, the same for each of 2 attempts", 2*first), fmt.Sprint(commands))
		return nil
	})
}
