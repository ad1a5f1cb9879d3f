package world

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"
)

// Dump reads every key that begins with the prefix: its type, its value and
// whether it has a lifetime, as text that can be compared.
func (w *World) Dump(ctx context.Context, prefix string) (map[string]string, error) {
	keys, err := w.Redis.Keys(ctx, prefix+"*").Result()
	if err != nil {
		return nil, fmt.Errorf("list keys of %s: %w", prefix, err)
	}
	dump := map[string]string{}
	for _, key := range keys {
		kind, err := w.Redis.Type(ctx, key).Result()
		if err != nil {
			return nil, fmt.Errorf("type of %s: %w", key, err)
		}
		value, err := readAny(ctx, w.Redis, kind, key)
		if err != nil && !errors.Is(err, redis.Nil) {
			return nil, fmt.Errorf("read %s: %w", key, err)
		}
		lifetime, err := w.Redis.PTTL(ctx, key).Result()
		if err != nil {
			return nil, fmt.Errorf("lifetime of %s: %w", key, err)
		}
		dump[key] = fmt.Sprintf("%s %v", kind, value)
		if lifetime >= 0 {
			dump[key] += " (with a lifetime)"
		}
	}
	return dump, nil
}

func readAny(ctx context.Context, rdb *redis.Client, kind, key string) (any, error) {
	switch kind {
	case "string":
		return rdb.Get(ctx, key).Result()
	case "hash":
		return rdb.HGetAll(ctx, key).Result() // fmt prints a map sorted by key
	case "list":
		return rdb.LRange(ctx, key, 0, -1).Result()
	case "set":
		members, err := rdb.SMembers(ctx, key).Result()
		slices.Sort(members)
		return members, err
	case "zset":
		return rdb.ZRangeWithScores(ctx, key, 0, -1).Result()
	case "stream":
		return rdb.XRange(ctx, key, "-", "+").Result()
	}
	return nil, nil
}
