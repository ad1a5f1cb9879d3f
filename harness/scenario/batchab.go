package scenario

import (
	"context"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// batchAB: a batch arrives, is asked for again while the record of its job is
// kept and once more after the record has been removed; then another batch
// arrives with the same rows. No fault is needed: time alone takes the job id's
// memory away.
func batchAB(ctx context.Context, lab *world.Lab, story *history.Story) error {
	if !lab.Stage.Works {
		return batchABWaiting(ctx, lab, story)
	}
	job := shop.JobID(matrix.BatchA)
	err := lab.In(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		answer, err := server.Accept(ctx, matrix.BatchA)
		if err != nil {
			return err
		}
		if _, err := w.UntilJob(ctx, server, job, "completed", "failed"); err != nil {
			return err
		}
		if err := look(ctx, w, story, server, matrix.StepA, job, answer); err != nil {
			return err
		}

		answer = server.Post(ctx, matrix.BatchA)
		if err := untilIdle(ctx, w, server); err != nil {
			return err
		}
		return look(ctx, w, story, server, matrix.StepAKept, job, answer)
	})
	if err != nil {
		return err
	}

	// How long a finished record lives may be rounded or lazy, so nobody waits for
	// it: with a retention of nothing it goes at once, and its 404 is the end.
	return lab.In(ctx, func(w *world.World) error {
		settings := world.Settings{"IMPORTER_RETENTION": "0s"}
		server, _, err := w.Start(ctx, "worker", settings)
		if err != nil {
			return err
		}
		var answers []history.Answer
		for range 2 {
			answer, err := server.Accept(ctx, matrix.BatchA)
			if err != nil {
				return err
			}
			answers = append(answers, answer)
			if _, err := w.UntilJob(ctx, server, job, "gone"); err != nil {
				return err
			}
		}
		if err := look(ctx, w, story, server, matrix.StepARemoved, job, answers...); err != nil {
			return err
		}
		answer, err := server.Accept(ctx, matrix.BatchB)
		if err != nil {
			return err
		}
		if _, err := w.UntilJob(ctx, server, shop.JobID(matrix.BatchB), "gone"); err != nil {
			return err
		}
		return look(ctx, w, story, server, matrix.StepB, shop.JobID(matrix.BatchB), answer)
	})
}

// batchABWaiting is what is left of the story without a worker: nothing finishes,
// so nothing is removed.
func batchABWaiting(ctx context.Context, lab *world.Lab, story *history.Story) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		for _, step := range []struct{ name, batch string }{
			{matrix.StepA, matrix.BatchA}, {matrix.StepAKept, matrix.BatchA}, {matrix.StepB, matrix.BatchB},
		} {
			answer := server.Post(ctx, step.batch)
			if err := look(ctx, w, story, server, step.name, shop.JobID(step.batch), answer); err != nil {
				return err
			}
		}
		return nil
	})
}

// untilIdle waits until no job waits, runs or rests.
func untilIdle(ctx context.Context, w *world.World, server *world.Server) error {
	return w.Until(ctx, "all jobs at their end", func(ctx context.Context) (bool, error) {
		counts, err := server.Counts(ctx)
		return counts["waiting"]+counts["active"]+counts["delayed"] == 0, err
	})
}
