package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
// it changes nothing and returns the first result.
//
// Errors are of two kinds. A *refusal is final and nothing was written. Any
// other error leaves the outcome unknown: the script may have run and only its
// answer may be lost. Here, asking again is safe, because the script is the one
// that knows.
func apply(ctx context.Context, rdb *redis.Client, batchID string, rows []row) (result, error) {
	list := make([][]any, len(rows))
	for i, r := range rows {
		list[i] = []any{r.sku, r.title, r.quantity}
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return result{}, fmt.Errorf("encode rows of batch %s: %w", batchID, err)
	}
	keys := []string{productsKey, generationKey, markKey(batchID)}
	reply, err := applyScript.run(ctx, rdb, keys, batchID, fingerprint(rows), encoded)
	if err != nil {
		return result{}, fmt.Errorf("apply batch %s: %w", batchID, err)
	}
	answer := texts(reply)
	switch {
	case len(answer) == 3 && answer[0] == "refused":
		return result{}, &refusal{code: answer[1], detail: answer[2]}
	case len(answer) == 2 && (answer[0] == "applied" || answer[0] == "repeated"):
		var res result
		if err := json.Unmarshal([]byte(answer[1]), &res); err != nil {
			return result{}, fmt.Errorf("mark of batch %s: %w", batchID, err)
		}
		return res, nil
	default:
		return result{}, fmt.Errorf("apply batch %s: unexpected answer %v", batchID, reply)
	}
}

// fingerprint is the same for the same rows, however the file wrote them (line
// ends, quotes, order), and differs when any value differs. It is what tells a
// repeat of an arrival from another arrival that wears its id.
func fingerprint(rows []row) string {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b row) int { return strings.Compare(a.sku, b.sku) })
	hash := sha256.New()
	for _, r := range sorted {
		fmt.Fprintf(hash, "%s,%q,%d\n", r.sku, r.title, r.quantity)
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}
