// Package release: a lock that only its owner gives back.
package release

import (
	"context"
	_ "embed"

	"github.com/redis/go-redis/v9"
)

//go:embed release.lua
var source string

var script = redis.NewScript(source)

// Release gives the lock back if it is still the one of this token.
func Release(ctx context.Context, rdb *redis.Client, key, token string) (released bool, err error) {
	return script.Run(ctx, rdb, []string{key}, token).Bool()
}
