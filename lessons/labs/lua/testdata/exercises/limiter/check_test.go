// The check of this exercise. It is written anew whenever make lab runs; yours are the other files.

package limiter

import (
	"testing"

	"example.com/importer/lessons/labs/lua/check"
)

func TestHit(t *testing.T) { check.Limiter(t, Hit) }
