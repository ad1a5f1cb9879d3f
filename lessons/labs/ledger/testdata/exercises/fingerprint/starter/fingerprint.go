// Package fingerprint: when are two orders the same?
//
// A key that comes back with another order has to be refused. So the server keeps a fingerprint of the
// order beside the key. An order is {"sku":"lamp","quantity":2}, and one without a quantity means 1.
//
// This fingerprint is taken of the bytes, so a client that writes the same order in another way is
// refused. Take it of what the order says.
//
// Then run: make lab LAB=ledger
package fingerprint

import (
	"crypto/sha256"
	"encoding/hex"
)

// Fingerprint is the same for all ways to write one order, and another one for every other order. What
// is no order has none.
func Fingerprint(input []byte) (string, error) {
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:]), nil
}
