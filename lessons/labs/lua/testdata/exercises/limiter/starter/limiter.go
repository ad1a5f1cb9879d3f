// Package limiter: a limit that two clients can pass at once.
//
// Hit is to allow as many hits of a key as the limit says, in a time that begins with the first of them.
// As it stands, it looks from here and counts over there, and what it knows may be old by then. The
// script has a fault of its own, too.
//
// Let the script decide: repair hit.lua, and let Hit pass on its answer. Then run: make lab LAB=lua
package limiter

import (
	"context"
	_ "embed"
	"errors"

	"github.com/redis/go-redis/v9"
)

//go:embed hit.lua
var source string

var script = redis.NewScript(source)

// Hit counts a hit, unless limit of them have been counted already in this window of so many seconds.
func Hit(ctx context.Context, rdb *redis.Client, key string, limit, seconds int64) (allowed bool, err error) {
	hits, err := rdb.Get(ctx, key).Int64()
	if err != nil && !errors.Is(err, redis.Nil) {
		return false, err
	}
	if hits >= limit {
		return false, nil
	}
	if err := script.Run(ctx, rdb, []string{key}, seconds).Err(); err != nil {
		return false, err
	}
	return true, nil
}
