// Package limiter: a limit that holds for all clients together.
package limiter

import (
	"context"
	_ "embed"

	"github.com/redis/go-redis/v9"
)

//go:embed hit.lua
var source string

var script = redis.NewScript(source)

// Hit counts a hit, unless limit of them have been counted already in this window of so many seconds.
func Hit(ctx context.Context, rdb *redis.Client, key string, limit, seconds int64) (allowed bool, err error) {
	return script.Run(ctx, rdb, []string{key}, limit, seconds).Bool()
}
