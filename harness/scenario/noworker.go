package scenario

import (
	"context"
	"strings"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// noWorker is the story where there is nobody to do the work: the job waits, and
// the work command refuses instead of idling.
func noWorker(ctx context.Context, lab *world.Lab, story *history.Story) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		answer := server.Post(ctx, matrix.BatchA)
		tried, err := w.Run(ctx, "work", "work")
		if err != nil {
			return err
		}
		if tried.Exit.Code != 2 {
			return &world.ProgramError{What: "importer work " + tried.Exit.String() + "; a stage without a worker exits with 2"}
		}
		said, _, _ := strings.Cut(tried.Stderr, "\n")
		fault := history.Fault{
			Name: "there is no worker", Fired: true,
			Evidence: []string{"importer work " + tried.Exit.String() + ": " + oneLine(said)},
		}
		story.Faults = append(story.Faults, fault)
		return look(ctx, w, story, server, matrix.StepNoWorker, shop.JobID(matrix.BatchA), answer)
	})
}
