// The check of this exercise. It is written anew whenever make lab runs; yours is the other file.

package client

import (
	"testing"

	"example.com/importer/lessons/labs/ledger/check"
)

func TestPlace(t *testing.T) { check.Client(t, Place, Attempts) }
