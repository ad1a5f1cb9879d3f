package promise

import (
	"context"
	"fmt"
	"sync"

	"example.com/importer/harness/history"
	"example.com/importer/harness/world"
)

// anyOrder lets repeats come late and out of order: b1, b1, b2, b1, each as a job of
// its own. A repeat is told by its batch and not by being the last one.
func anyOrder(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		for i, step := range []struct {
			batch    string
			arrivals int
		}{{"b1", 1}, {"b1", 1}, {"b2", 2}, {"b1", 2}} {
			job := fmt.Sprintf("job-%d", i+1)
			saw.Where = fmt.Sprintf("%s as job %d: ", step.batch, i+1)
			ended, err := enqueueAndWait(ctx, w, server, job, step.batch)
			if err != nil {
				return err
			}
			saw.Equal("state of the job", "completed", ended.State+withReason(ended.Error))
			saw.result("result", lab, ended, step.batch)
			if err := saw.stock(ctx, w, step.arrivals); err != nil {
				return err
			}
		}
		return nil
	})
}

// enqueueAndWait stores a job of its own for a batch, past the HTTP route, and waits
// for its end.
func enqueueAndWait(ctx context.Context, w *world.World, server *world.Server, job, batch string) (*history.Job, error) {
	stored, err := w.Run(ctx, "enqueue", "enqueue", "--job-id", job,
		"--data", fmt.Sprintf(`{"contractVersion":1,"dataset":"shipment-a","batchId":%q}`, batch))
	if err != nil {
		return nil, err
	}
	if stored.Exit.Code != 0 {
		return nil, &world.ProgramError{What: "importer enqueue " + stored.Exit.String()}
	}
	return w.UntilJob(ctx, server, job, "completed", "failed")
}

// throughOutage lets fifty clients ask while Redis is away from everybody. When it
// is back they ask again with their ids, and each delivery is added once, by the
// programs that were there all the time.
func throughOutage(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const clients = 50
	return lab.In(ctx, func(w *world.World) error {
		server, worker, err := w.Start(ctx, "worker", world.Settings{"IMPORTER_CONCURRENCY": "4"})
		if err != nil {
			return err
		}
		// Both have been at Redis by then, so that both lose it.
		for _, p := range []*world.Program{server.Program, worker} {
			if err := w.Until(ctx, "a first command of "+p.Name(), func(ctx context.Context) (bool, error) {
				if p == server.Program {
					_, err := server.Counts(ctx)
					return err == nil, err
				}
				return len(p.Wire.Exchanges()) > 0, nil
			}); err != nil {
				return err
			}
		}
		for _, p := range []*world.Program{server.Program, worker} {
			if err := p.Wire.Refuse(); err != nil {
				return fmt.Errorf("take Redis away: %w", err)
			}
		}
		statuses := make([]int, clients)
		atOnce(clients, func(i int) { statuses[i] = server.Post(ctx, fmt.Sprintf("batch-%d", i)).Status })
		for i, status := range statuses {
			saw.Equal(fmt.Sprintf("answer to batch-%d while Redis is away", i), 503, status)
		}
		for _, p := range []*world.Program{server.Program, worker} {
			if err := p.Wire.Pass(); err != nil {
				return fmt.Errorf("give Redis back: %w", err)
			}
		}
		errs := make([]error, clients)
		atOnce(clients, func(i int) { _, errs[i] = server.Accept(ctx, fmt.Sprintf("batch-%d", i)) })
		for _, err := range errs {
			if err != nil {
				return err
			}
		}
		// One job after the other, so that a slow machine is not taken for a program
		// that stands still.
		for ended := 0; ended < clients; {
			if err := w.Until(ctx, fmt.Sprintf("more than %d of %d jobs at their end", ended, clients), func(ctx context.Context) (bool, error) {
				counts, err := server.Counts(ctx)
				now := counts["completed"] + counts["failed"]
				more := now > ended
				ended = max(ended, now)
				return more, err
			}); err != nil {
				return err
			}
		}
		saw.Note("%d clients were told 503, asked again and were told 202; no program was started anew", clients)
		few(saw)
		return saw.stock(ctx, w, clients)
	})
}

// atOnce calls do for 0 to n-1, all together, and waits for them.
func atOnce(n int, do func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}
