// Package share: a gift that gets stuck half-way.
//
// Share gives points to each of some friends: to all of them, or to none. As it stands, the script gives
// while it still looks, and when it finds that it cannot go on, the first friends have got theirs.
//
// Repair share.lua. Its answers are right, only too late. Then run: make lab LAB=lua
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
