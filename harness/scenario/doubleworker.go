package scenario

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// doubleWorker: worker 1 takes the job and freezes while its first stock command
// is on the way. Its lock runs out, worker 2 takes the job over and does it.
// Then the late command arrives, worker 1 wakes up and goes on as if nothing had
// happened.
func doubleWorker(ctx context.Context, lab *world.Lab, story *history.Story) error {
	if !lab.Stage.Works {
		return noWorker(ctx, lab, story)
	}
	return lab.In(ctx, func(w *world.World) error {
		short := world.Settings{"IMPORTER_LOCK_DURATION": "300ms"}
		server, first, err := w.Start(ctx, "worker-1", short)
		if err != nil {
			return err
		}
		trap := first.TrapStock(wire.BeforeServer)
		answer, err := server.Accept(ctx, matrix.BatchA)
		if err != nil {
			return err
		}
		fault := history.Fault{Name: "worker 1 is frozen"}
		defer func() { story.Faults = append(story.Faults, fault) }()
		frozen, err := first.FreezeAt(ctx, trap)
		if errors.Is(err, world.ErrNotFired) {
			fault.Why = "worker 1 sent no stock command: " + err.Error()
			return nil
		}
		if err != nil {
			return err
		}
		second, err := w.Work(ctx, "worker-2", short)
		if err != nil {
			return err
		}
		job := shop.JobID(matrix.BatchA)
		if _, err := w.UntilJob(ctx, server, job, "completed", "failed"); err != nil {
			return err
		}
		if err := look(ctx, w, story, server, matrix.StepSecondDone, job, answer); err != nil {
			return err
		}

		late, err := frozen.Wake(ctx)
		if err != nil {
			return err
		}
		asleep := time.Since(frozen.Since)
		// A worker that stops first ends what it has in hand; once it has exited,
		// everything that it was going to do is done.
		if err := w.Stop(ctx, first); err != nil {
			return err
		}

		commands := second.StockCommands()
		if len(commands) == 0 {
			fault.Why = "worker 2 sent no stock command"
			return nil
		}
		fault.Fired = true
		fault.Evidence = []string{
			"worker 1 had taken the job: " + brief(late.Command) + " was on the way to Redis",
			fmt.Sprintf("%dms later worker 2 had the same job, the only one there is, and sent %s", commands[0].Read.Sub(frozen.Since).Milliseconds(), brief(commands[0].Command)),
			fmt.Sprintf("worker 1 was frozen for %dms with a lock of %s", asleep.Milliseconds(), short["IMPORTER_LOCK_DURATION"]),
			"then its own command arrived: " + executed(late),
		}
		for _, line := range first.Logs() {
			if line.Event == "lock_lost" {
				fault.Evidence = append(fault.Evidence, "its late finish was refused: it logged lock_lost for "+oneLine(line.JobID))
			}
		}
		return look(ctx, w, story, server, matrix.StepFirstAwake, job)
	})
}
