package lua

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// Look and Count are a limit as one writes it at first: GET, decide here, INCR. They are two halves
// because that is what Redis sees of them. Between the two, anybody may run anything.

// Look says whether there is room for one more hit.
func Look(ctx context.Context, rdb *redis.Client, key string, limit int64) (room bool, err error) {
	hits, err := rdb.Get(ctx, key).Int64()
	if err != nil && !errors.Is(err, redis.Nil) {
		return false, fmt.Errorf("look at %s: %w", key, err)
	}
	return hits < limit, nil
}

// Count counts the hit that there was room for.
func Count(ctx context.Context, rdb *redis.Client, key string) (hits int64, err error) {
	hits, err = rdb.Incr(ctx, key).Result()
	if err != nil {
		return 0, fmt.Errorf("count a hit of %s: %w", key, err)
	}
	return hits, nil
}
