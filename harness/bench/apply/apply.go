// Package apply calls the apply script of stage 08 the way the stage does, without the
// stage: for whoever measures the script alone, or puts another queue before it.
package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/world/shop"
)

// The answers of the script to a shipment that it does not refuse.
const (
	Applied  = "applied"
	Repeated = "repeated"
)

// Script is the apply script.
type Script struct{ lua *redis.Script }

// Path is where the script lies in a workbook.
func Path(root string) string {
	return filepath.Join(root, "stages", "08-idempotent-apply", "lua", "apply.lua")
}

// Load reads the script from a file.
func Load(path string) (Script, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return Script{}, fmt.Errorf("read the apply script: %w", err)
	}
	return Script{lua: redis.NewScript(string(source))}, nil
}

// Shipment is rows as the script takes them.
type Shipment struct {
	encoded     []byte
	fingerprint string
}

// Encode prepares rows for the script, with the fingerprint that stage 08 gives them.
func Encode(rows []dataset.Product) (Shipment, error) {
	list := make([][]any, len(rows))
	for i, r := range rows {
		list[i] = []any{r.SKU, r.Title, r.Quantity}
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		return Shipment{}, fmt.Errorf("encode rows: %w", err)
	}
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b dataset.Product) int { return strings.Compare(a.SKU, b.SKU) })
	hash := sha256.New()
	for _, r := range sorted {
		fmt.Fprintf(hash, "%s,%q,%d\n", r.SKU, r.Title, r.Quantity)
	}
	return Shipment{encoded: encoded, fingerprint: "sha256:" + hex.EncodeToString(hash.Sum(nil))}, nil
}

// Run applies a shipment as one arrival and returns Applied or Repeated. A refusal of the
// script is an error.
func (s Script) Run(ctx context.Context, rdb redis.Scripter, batch string, shipment Shipment) (string, error) {
	keys := []string{shop.ProductsKey, shop.GenerationKey, shop.MarkKey(batch)}
	answer, err := s.lua.Run(ctx, rdb, keys, batch, shipment.fingerprint, shipment.encoded).StringSlice()
	if err != nil {
		return "", fmt.Errorf("apply batch %s: %w", batch, err)
	}
	if len(answer) != 2 || (answer[0] != Applied && answer[0] != Repeated) {
		return "", fmt.Errorf("apply batch %s: the answer is %q", batch, answer)
	}
	return answer[0], nil
}

// Connect makes a client with the settings of the stages: nothing is repeated by itself,
// nothing waits longer than timeout, and so many connections at most.
func Connect(url string, timeout time.Duration, connections int) (*redis.Client, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("the URL of Redis: %w", err)
	}
	options.MaxRetries = -1
	options.DialerRetries = 1
	options.ContextTimeoutEnabled = true
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = timeout, timeout, timeout, timeout
	options.PoolSize = connections
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(options), nil
}
