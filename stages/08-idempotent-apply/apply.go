package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// markKey names the mark of a batch. It holds the result of the import, and it
// has no lifetime: deleting a cache entry costs one more read, deleting a mark
// permits a second addition.
func markKey(batchID string) string { return "importer:done:" + batchID }

var applyScript = newScript("apply")

// result is what an import answers, the same for every repeat of its batch.
type result struct {
	Imported int    `json:"imported"` // rows
	BatchID  string `json:"batchId"`
}

// apply adds a shipment to the stock unless its batch was applied before; then
// it changes nothing and returns the first result. repeated tells which.
//
// Errors are of two kinds. A *refusal is final and nothing was written. Any
// other error leaves the outcome unknown: the script may have run and only its
// answer may be lost. Here, asking again is safe, because the script is the one
// that knows.
func apply(ctx context.Context, rdb *redis.Client, batchID string, rows []row) (res result, repeated bool, err error) {
	list := make([][]any, len(rows))
	for i, r := range rows {
		list[i] = []any{r.sku, r.title, r.quantity}
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return result{}, false, fmt.Errorf("encode rows of batch %s: %w", batchID, err)
	}
	keys := []string{productsKey, generationKey, markKey(batchID)}
	reply, err := applyScript.run(ctx, rdb, keys, batchID, fingerprint(rows), encoded)
	if err != nil {
		return result{}, false, fmt.Errorf("apply batch %s: %w", batchID, err)
	}
	answer := texts(reply)
	switch {
	case len(answer) == 3 && answer[0] == "refused":
		return result{}, false, &refusal{code: answer[1], detail: answer[2]}
	case len(answer) == 2 && (answer[0] == "applied" || answer[0] == "repeated"):
		if err := json.Unmarshal([]byte(answer[1]), &res); err != nil {
			return result{}, false, fmt.Errorf("mark of batch %s: %w", batchID, err)
		}
		return res, answer[0] == "repeated", nil
	default:
		return result{}, false, fmt.Errorf("apply batch %s: unexpected answer %v", batchID, reply)
	}
}
