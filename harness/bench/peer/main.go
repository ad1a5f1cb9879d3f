// Peer does the job of the stages with asynq as its queue: the same HTTP route, the same
// shipment, the same apply script. It takes the settings of the contract that it needs, so
// that it is started, fed and looked at as a stage is; PEER_APPLY_SCRIPT names the script.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/hibiken/asynq"

	"example.com/importer/harness/bench/apply"
)

const (
	queueName = "importer-local"
	jobType   = "import-shipment"
	timeout   = 3 * time.Second // of one command
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if len(os.Args) != 2 {
		return errors.New("usage: peer serve|work")
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	retention, err := time.ParseDuration(os.Getenv("IMPORTER_RETENTION"))
	if err != nil {
		return fmt.Errorf("IMPORTER_RETENTION: %w", err)
	}
	switch os.Args[1] {
	case "serve":
		return serve(ctx, log, retention)
	case "work":
		return work(ctx, log)
	}
	return fmt.Errorf("there is no command %q", os.Args[1])
}

func work(ctx context.Context, log *slog.Logger) error {
	concurrency, err := strconv.Atoi(os.Getenv("IMPORTER_CONCURRENCY"))
	if err != nil {
		return fmt.Errorf("IMPORTER_CONCURRENCY: %w", err)
	}
	// A job in hand needs one connection at a time; asynq itself needs a few more.
	rdb, err := apply.Connect(os.Getenv("IMPORTER_REDIS_URL"), timeout, 2*concurrency+8)
	if err != nil {
		return err
	}
	defer rdb.Close()
	script, err := apply.Load(os.Getenv("PEER_APPLY_SCRIPT"))
	if err != nil {
		return err
	}
	server := asynq.NewServerFromRedisClient(rdb, asynq.Config{
		Concurrency: concurrency, Queues: map[string]int{queueName: 1}, LogLevel: asynq.ErrorLevel,
	})
	w := worker{rdb: rdb, script: script, dataDir: os.Getenv("IMPORTER_DATA_DIR"), log: log}
	if err := server.Start(asynq.HandlerFunc(w.handle)); err != nil {
		return fmt.Errorf("start asynq: %w", err)
	}
	<-ctx.Done()
	server.Shutdown()
	return nil
}
