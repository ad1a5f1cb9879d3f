// Package share: a gift for all, or for none.
package share

import (
	"context"
	_ "embed"

	"github.com/redis/go-redis/v9"
)

//go:embed share.lua
var source string

var script = redis.NewScript(source)

// Share gives points to each of the friends, who are different ones, and answers with a code: done,
// too-few, full or damaged.
func Share(ctx context.Context, rdb *redis.Client, from string, friends []string, points int64) (code string, err error) {
	return script.Run(ctx, rdb, append([]string{from}, friends...), points).Text()
}
