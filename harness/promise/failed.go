package promise

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// failedAgain asks again for a batch whose job has failed and is kept. Whatever
// the program says must be true: 202 only if the job is done again, and otherwise
// an answer that names the job. Put back on purpose, it is done.
func failedAgain(ctx context.Context, lab *world.Lab, saw *Saw) error {
	dir, remove, err := lab.OwnData()
	if err != nil {
		return err
	}
	defer remove()
	shipment := filepath.Join(dir, dataset.ShipmentFile)
	if err := os.WriteFile(shipment, []byte("sku,title,quantity\nlamp,Desk lamp,none\n"), 0o644); err != nil {
		return fmt.Errorf("write a bad shipment: %w", err)
	}
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		if _, err := w.Work(ctx, "worker", world.Settings{"IMPORTER_DATA_DIR": dir}); err != nil {
			return err
		}
		batch, job := "batch-a", shop.JobID("batch-a")
		if _, err := server.Accept(ctx, batch); err != nil {
			return err
		}
		if _, err := w.UntilJob(ctx, server, job, "failed"); err != nil {
			return err
		}
		again := post(ctx, server, batch)
		saw.Note("asked again: %d %s", again.Status, strings.TrimSpace(string(again.Body)))
		if again.Status == http.StatusAccepted {
			// Then it must not stay as it was: a job that is to be done again has begun anew.
			if _, err := w.UntilJob(ctx, server, job, "waiting", "active", "delayed", "gone"); err != nil {
				return err
			}
		} else {
			saw.True(strings.Contains(string(again.Body), job), "answer to the same batch", "one that names "+job, string(again.Body))
		}
		if _, err := w.UntilJob(ctx, server, job, "failed"); err != nil {
			return err
		}

		if err := lab.Data.Write(dir); err != nil { // the reason is mended
			return err
		}
		back, err := server.Do(ctx, http.MethodPost, "/api/imports/"+job+"/retry", "", nil)
		if err != nil {
			return err
		}
		saw.Equal("POST /api/imports/"+job+"/retry", 202, back.Status)
		ended, err := w.UntilJob(ctx, server, job, "completed")
		if err != nil {
			return err
		}
		saw.result("result of the job", lab, ended, batch)
		late, err := server.Do(ctx, http.MethodPost, "/api/imports/"+job+"/retry", "", nil)
		if err != nil {
			return err
		}
		saw.Equal("the same of a job that is completed", 409, late.Status)
		return saw.stock(ctx, w, 1)
	})
}
