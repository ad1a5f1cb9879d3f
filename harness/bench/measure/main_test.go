package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/harness/world/shop"
)

// stubVariable makes this test's own program into a stub of a stage.
const stubVariable = "BENCH_STUB"

func TestMain(m *testing.M) {
	if kind := os.Getenv(stubVariable); kind != "" {
		if err := stub(kind); err != nil {
			fmt.Fprintln(os.Stderr, "stub:", err)
			os.Exit(1)
		}
		return
	}
	enginetest.Main(m)
}

// stub says of all jobs that they are done. It is "honest", or it "skips" one, raises the
// generation for it all the same, and is a little faster.
func stub(kind string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	options, err := redis.ParseURL(os.Getenv("IMPORTER_REDIS_URL"))
	if err != nil {
		return err
	}
	rdb := redis.NewClient(options)
	defer rdb.Close()
	if os.Args[1] == "serve" {
		return stubServe(ctx, rdb)
	}
	batches, err := rdb.LRange(ctx, "stub:jobs", 0, -1).Result()
	if err != nil {
		return err
	}
	data := dataset.Teaching()
	for i, batch := range batches {
		arrived := i + 1
		if kind == "skips" && i == len(batches)-1 {
			arrived = i
		}
		_, err := rdb.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			for sku, quantity := range data.After(arrived) {
				raw, _ := json.Marshal(dataset.Product{SKU: sku, Title: sku, Quantity: quantity})
				tx.HSet(ctx, shop.ProductsKey, sku, raw)
			}
			tx.Incr(ctx, shop.GenerationKey)
			mark, _ := json.Marshal(map[string]any{"imported": len(data.Shipment), "batchId": batch})
			tx.Set(ctx, shop.MarkKey(batch), mark, 0)
			tx.Incr(ctx, "stub:done")
			return nil
		})
		if err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}

func stubServe(ctx context.Context, rdb *redis.Client) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/imports", func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			BatchID string `json:"batchId"`
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		rdb.RPush(r.Context(), "stub:jobs", body.BatchID)
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, `{"jobId":%q}`, shop.JobID(body.BatchID))
	})
	mux.HandleFunc("GET /api/imports", func(w http.ResponseWriter, r *http.Request) {
		done, _ := rdb.Get(r.Context(), "stub:done").Int64()
		stored := rdb.LLen(r.Context(), "stub:jobs").Val()
		fmt.Fprintf(w, `{"counts":{"waiting":%d,"completed":%d}}`, stored-done, done)
	})
	listener, err := net.Listen("tcp", os.Getenv("IMPORTER_HTTP_ADDR"))
	if err != nil {
		return err
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { server.Close() })
	_ = server.Serve(listener) // it ends when it is closed
	return nil
}
