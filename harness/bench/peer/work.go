package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/bench/apply"
	"example.com/importer/harness/dataset"
)

// job is the data of a job, as the stages store it.
type job struct {
	ContractVersion int    `json:"contractVersion"`
	Dataset         string `json:"dataset"`
	BatchID         string `json:"batchId"`
}

// result is what an import answers.
type result struct {
	Imported int    `json:"imported"`
	BatchID  string `json:"batchId"`
}

type worker struct {
	rdb     *redis.Client
	script  apply.Script
	dataDir string
	log     *slog.Logger
}

// handle does one job. It reads the file anew for each, and says as much in its log, as the
// stages do.
func (w worker) handle(ctx context.Context, task *asynq.Task) error {
	var j job
	if err := json.Unmarshal(task.Payload(), &j); err != nil || j.ContractVersion != 1 {
		return fmt.Errorf("job %q: %w", task.Payload(), asynq.SkipRetry)
	}
	w.log.Info("job_taken", "jobId", task.ResultWriter().TaskID())
	rows, err := load(filepath.Join(w.dataDir, j.Dataset+".csv"))
	if err != nil {
		return err
	}
	shipment, err := apply.Encode(rows)
	if err != nil {
		return err
	}
	if _, err := w.script.Run(ctx, w.rdb, j.BatchID, shipment); err != nil {
		return err
	}
	body, err := json.Marshal(result{Imported: len(rows), BatchID: j.BatchID})
	if err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	if _, err := task.ResultWriter().Write(body); err != nil {
		return fmt.Errorf("keep the result of %s: %w", j.BatchID, err)
	}
	w.log.Info("job_completed", "jobId", task.ResultWriter().TaskID(), "imported", len(rows))
	return nil
}

// load reads a shipment that is known to be right.
func load(path string) ([]dataset.Product, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open shipment: %w", err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil || len(records) < 2 {
		return nil, fmt.Errorf("read shipment %s: %d lines, %w", path, len(records), err)
	}
	var rows []dataset.Product
	for _, record := range records[1:] {
		quantity, err := strconv.Atoi(record[2])
		if err != nil {
			return nil, fmt.Errorf("read shipment %s: %w", path, err)
		}
		rows = append(rows, dataset.Product{SKU: record[0], Title: record[1], Quantity: quantity})
	}
	return rows, nil
}
