package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/bench/apply"
)

const producerConnections = 64 // as many as the stages have

// hitScript is a rate limit in its shortest form, so that a request costs what it costs the
// stages: one question before the enqueue.
var hitScript = redis.NewScript(`
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return hits`)

type producer struct {
	rdb       *redis.Client
	client    *asynq.Client
	inspector *asynq.Inspector
	retention time.Duration
	log       *slog.Logger
}

func serve(ctx context.Context, log *slog.Logger, retention time.Duration) error {
	rdb, err := apply.Connect(os.Getenv("IMPORTER_REDIS_URL"), timeout, producerConnections)
	if err != nil {
		return err
	}
	defer rdb.Close()
	p := producer{
		rdb: rdb, client: asynq.NewClientFromRedisClient(rdb), inspector: asynq.NewInspectorFromRedisClient(rdb),
		retention: retention, log: log,
	}
	listener, err := net.Listen("tcp", os.Getenv("IMPORTER_HTTP_ADDR"))
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/imports", p.post)
	mux.HandleFunc("GET /api/imports", p.counts)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	stopped := make(chan error, 1)
	context.AfterFunc(ctx, func() { stopped <- server.Shutdown(context.Background()) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve http: %w", err)
	}
	return <-stopped
}

func (p producer) post(w http.ResponseWriter, r *http.Request) {
	client, _, _ := net.SplitHostPort(r.RemoteAddr)
	if err := hitScript.Run(r.Context(), p.rdb, []string{"importer-demo:importer-local:limit:" + client}, time.Minute.Milliseconds()).Err(); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	var j job
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<10))
	if err != nil || json.Unmarshal(body, &j) != nil || j.Dataset != "shipment-a" || j.BatchID == "" {
		http.Error(w, "not as agreed", http.StatusBadRequest)
		return
	}
	j.ContractVersion = 1
	if err := enqueue(r.Context(), p.client, j, p.retention); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	p.log.Info("job_stored", "jobId", "shipment-"+j.BatchID)
	answer(w, http.StatusAccepted, map[string]string{"jobId": "shipment-" + j.BatchID})
}

// enqueue stores a job; one that is there already is no error.
func enqueue(ctx context.Context, client *asynq.Client, j job, retention time.Duration) error {
	payload, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	_, err = client.EnqueueContext(ctx, asynq.NewTask(jobType, payload), asynq.Queue(queueName),
		asynq.TaskID("shipment-"+j.BatchID), asynq.MaxRetry(4), asynq.Timeout(2*time.Minute), asynq.Retention(retention))
	if err != nil && !errors.Is(err, asynq.ErrTaskIDConflict) {
		return fmt.Errorf("enqueue %s: %w", j.BatchID, err)
	}
	return nil
}

// counts answers in the contract's words.
func (p producer) counts(w http.ResponseWriter, _ *http.Request) {
	info, err := p.inspector.GetQueueInfo(queueName)
	if errors.Is(err, asynq.ErrQueueNotFound) {
		info, err = &asynq.QueueInfo{}, nil
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	answer(w, http.StatusOK, map[string]any{"counts": map[string]int{
		"waiting": info.Pending, "active": info.Active, "delayed": info.Scheduled + info.Retry,
		"completed": info.Completed, "failed": info.Archived,
	}})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone; the work is done
}
