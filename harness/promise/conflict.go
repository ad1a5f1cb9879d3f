package promise

import (
	"context"
	"fmt"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// batchConflict lets a batch id come back with other rows. That is neither a repeat
// nor a new arrival, and must not be answered with a result that is not its own.
func batchConflict(ctx context.Context, lab *world.Lab, saw *Saw) error {
	dir, remove, err := lab.OwnData()
	if err != nil {
		return err
	}
	defer remove()
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		if _, err := w.Work(ctx, "worker", world.Settings{"IMPORTER_DATA_DIR": dir}); err != nil {
			return err
		}
		if _, err := server.Accept(ctx, "batch-a"); err != nil {
			return err
		}
		if _, err := w.UntilEnded(ctx, server, "batch-a"); err != nil {
			return err
		}
		corrected := lab.Data
		corrected.Shipment = append([]dataset.Product{}, lab.Data.Shipment...)
		corrected.Shipment[0].Quantity++
		if err := corrected.Write(dir); err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		job, err := enqueueAndWait(ctx, w, server, "corrected", "batch-a")
		if err != nil {
			return err
		}
		saw.Equal("state of the job with the corrected rows", "failed", job.State)
		saw.Equal("its attempts", 1, job.Attempts)
		saw.Note("%q", job.Error)
		return saw.Unchanged(ctx, w, before)
	})
}

// markFirst damages the stock after a batch was applied. A repeat needs no stock: it
// must get the first result all the same.
func markFirst(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, _, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		if _, err := enqueueAndWait(ctx, w, server, "first", "batch-a"); err != nil {
			return err
		}
		if err := w.Redis.HSet(ctx, shop.ProductsKey, lastRow(w.Data).SKU, "{").Err(); err != nil {
			return fmt.Errorf("damage the stock: %w", err)
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		job, err := enqueueAndWait(ctx, w, server, "again", "batch-a")
		if err != nil {
			return err
		}
		saw.Equal("state of the repeat over damaged stock", "completed", job.State+withReason(job.Error))
		saw.result("result of the repeat", lab, job, "batch-a")
		return saw.Unchanged(ctx, w, before)
	})
}

// twoBatches lets two workers apply two batches with the same rows neck and neck:
// what one has read, the other has read as well, and still both must count.
func twoBatches(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		for _, batch := range []string{"batch-a", "Batch-A"} { // ids that differ in nothing else
			if _, err := server.Accept(ctx, batch); err != nil {
				return err
			}
		}
		if err := neckAndNeck(ctx, w); err != nil {
			return err
		}
		for _, batch := range []string{"batch-a", "Batch-A"} {
			job, err := w.UntilEnded(ctx, server, batch)
			if err != nil {
				return err
			}
			saw.Equal("state of the job of "+batch, "completed", job.State+withReason(job.Error))
			saw.result("result for "+batch, lab, job, batch)
		}
		return saw.stock(ctx, w, 2)
	})
}
