// Package fingerprint: when are two orders the same?
package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

type order struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

// Fingerprint is the same for all ways to write one order, and another one for every other order. What
// is no order has none.
func Fingerprint(input []byte) (string, error) {
	var understood order
	if err := json.Unmarshal(input, &understood); err != nil {
		return "", fmt.Errorf("read the order: %w", err)
	}
	normal, err := json.Marshal(understood)
	if err != nil {
		return "", fmt.Errorf("write the order: %w", err)
	}
	sum := sha256.Sum256(normal)
	return hex.EncodeToString(sum[:]), nil
}
