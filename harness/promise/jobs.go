package promise

import (
	"context"
	"fmt"

	"example.com/importer/harness/history"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// workerChecks stores jobs past the HTTP route, as another producer could. The
// worker must find out by itself, at once, and touch nothing.
func workerChecks(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		bad := []struct{ id, what, data string }{
			{"bad-version", "an unknown contract version", `{"contractVersion":2,"dataset":"shipment-a","batchId":"x1"}`},
			{"bad-no-version", "no contract version", `{"dataset":"shipment-a","batchId":"x2"}`},
			{"bad-dataset", "a path as dataset", `{"contractVersion":1,"dataset":"../../etc/passwd","batchId":"x3"}`},
			{"bad-batch", "a batch id with a colon", `{"contractVersion":1,"dataset":"shipment-a","batchId":"x:4"}`},
			{"bad-batch-number", "a number as batch id", `{"contractVersion":1,"dataset":"shipment-a","batchId":5}`},
			{"bad-json", "no JSON", `{`},
			{"bad-field", "one field too many", `{"contractVersion":1,"dataset":"shipment-a","batchId":"x7","rows":3}`},
			{"bad-twice", "a field that stands twice", `{"contractVersion":2,"dataset":"shipment-a","batchId":"x8","contractVersion":1}`},
		}
		for _, job := range bad {
			result, err := w.Run(ctx, "enqueue", "enqueue", "--job-id", job.id, "--data", job.data)
			if err != nil {
				return err
			}
			if !saw.Equal("importer enqueue of "+job.what+": exit status", 0, result.Exit.Code) {
				return nil
			}
		}
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		for _, job := range bad {
			ended, err := w.UntilJob(ctx, server, job.id, "completed", "failed")
			if err != nil {
				return fmt.Errorf("%s: %w", job.what, err)
			}
			saw.Equal(job.what+": state of the job", "failed", ended.State)
			saw.Equal(job.what+": attempts", 1, ended.Attempts)
			saw.True(ended.Error != "", job.what+": error of the job", "a reason", "none")
			saw.Note("%s: %q", job.what, ended.Error)
		}
		if err := saw.Unchanged(ctx, w, before); err != nil {
			return err
		}
		// A worker that refuses whatever comes has passed so far.
		if _, err := server.Accept(ctx, "batch-good"); err != nil {
			return err
		}
		good, err := w.UntilEnded(ctx, server, "batch-good")
		if err != nil {
			return err
		}
		saw.Equal("a job as agreed: state of the job", "completed", good.State+withReason(good.Error))
		return nil
	})
}

// twoJobsOneBatch gives two workers two jobs for the same arrival at once. One of
// them adds, the other is given what the first one got.
func twoJobsOneBatch(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		jobs := []string{"one", "other"}
		for _, id := range jobs {
			result, err := w.Run(ctx, "enqueue", "enqueue", "--job-id", id, "--data", `{"contractVersion":1,"dataset":"shipment-a","batchId":"batch-a"}`)
			if err != nil {
				return err
			}
			if !saw.Equal("importer enqueue: exit status", 0, result.Exit.Code) {
				return nil
			}
		}
		if err := neckAndNeck(ctx, w); err != nil {
			return err
		}
		for _, id := range jobs {
			job, err := w.UntilJob(ctx, server, id, "completed", "failed")
			if err != nil {
				return err
			}
			saw.Equal("state of job "+id, "completed", job.State)
			saw.result("result of job "+id, lab, job, "batch-a")
		}
		return saw.stock(ctx, w, 1)
	})
}

// stock compares what Redis holds with so many arrivals of the shipment.
func (s *Saw) stock(ctx context.Context, w *world.World, arrivals int) error {
	state, err := shop.ReadState(ctx, w.Redis)
	if err != nil {
		return err
	}
	s.Equal("stock", w.Data.Line(w.Data.After(arrivals)), w.Data.Line(state.Stock))
	s.Equal("generation", arrivals, state.Generation)
	return nil
}

// result sees that the job has the result of its batch.
func (s *Saw) result(about string, lab *world.Lab, job *history.Job, batch string) {
	if s.True(job.Result != nil, about, "the result of "+batch, "none") {
		s.Equal(about, fmt.Sprintf("%d rows of %s", len(lab.Data.Shipment), batch), fmt.Sprintf("%d rows of %s", job.Result.Imported, job.Result.BatchID))
		s.True(job.Says() == "", about, "imported and batchId, and no other field", job.Says())
	}
}
