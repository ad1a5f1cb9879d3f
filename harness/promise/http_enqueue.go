package promise

import (
	"context"
	"net/http"
	"strings"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// storesForLater: 202 means stored, and nothing else. With no worker the job goes
// on waiting, a repeat finds it, and the stock does not know of it.
func storesForLater(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		waiting(ctx, server, saw, "counts before anything was asked for", 0)
		post(ctx, server, "batch-a").accepted(saw, "answer to POST of batch-a", "batch-a")
		jobWaits(ctx, server, saw, "job of batch-a", shop.JobID("batch-a"))

		post(ctx, server, "batch-a").accepted(saw, "answer to the repeat of batch-a", "batch-a")
		waiting(ctx, server, saw, "counts after batch-a and its repeat", 1)

		longest := strings.Repeat("Az0-", 16)
		post(ctx, server, longest).accepted(saw, "answer to a batch id of 64 characters", longest)
		jobWaits(ctx, server, saw, "job of the batch id of 64 characters", shop.JobID(longest))
		jobWaits(ctx, server, saw, "job of batch-a, still without a worker", shop.JobID("batch-a"))
		waiting(ctx, server, saw, "counts at the end", 2)
		saw.Note("3 POSTs of 2 batch ids left 2 waiting jobs; nothing under importer: changed")
		return saw.Unchanged(ctx, w, before)
	})
}

// jobWaits sees a job that nobody has touched: no attempt, no result, no error.
func jobWaits(ctx context.Context, server *world.Server, saw *Saw, about, id string) {
	expected := map[string]any{"jobId": id, "state": "waiting", "attempts": 0.0}
	seen := get(ctx, server, importsPath+"/"+id)
	seen.must(saw, seen.is(http.StatusOK, jsonType) && cmp.Equal(seen.object(), expected), about,
		`200 application/json, {"jobId":"`+id+`","state":"waiting","attempts":0}, no result and no error`)
}
