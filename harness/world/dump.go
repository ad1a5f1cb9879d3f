package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"
)

// Dump is what Redis holds: a place, such as "importer:generation" or
// "importer:products lamp" for a field of a hash, and what is there, as text.
type Dump map[string]string

// Dump reads every key that begins with the prefix.
func (w *World) Dump(ctx context.Context, prefix string) (Dump, error) {
	keys, err := w.Redis.Keys(ctx, prefix+"*").Result()
	if err != nil {
		return nil, fmt.Errorf("list keys of %s: %w", prefix, err)
	}
	dump := Dump{}
	for _, key := range keys {
		if err := dump.read(ctx, w.Redis, key); err != nil {
			return nil, fmt.Errorf("read %s: %w", key, err)
		}
	}
	return dump, nil
}

func (d Dump) read(ctx context.Context, rdb *redis.Client, key string) error {
	kind, err := rdb.Type(ctx, key).Result()
	if err != nil {
		return err
	}
	var value any
	switch kind {
	case "string":
		value, err = rdb.Get(ctx, key).Result()
	case "hash":
		var fields map[string]string
		fields, err = rdb.HGetAll(ctx, key).Result()
		for field, content := range fields {
			d[key+" "+field] = content
		}
		value = "" // its fields stand for themselves
	case "list":
		value, err = rdb.LRange(ctx, key, 0, -1).Result()
	case "set":
		var members []string
		members, err = rdb.SMembers(ctx, key).Result()
		slices.Sort(members)
		value = members
	case "zset":
		value, err = rdb.ZRangeWithScores(ctx, key, 0, -1).Result()
	case "stream":
		value, err = rdb.XRange(ctx, key, "-", "+").Result()
	}
	if err != nil && !errors.Is(err, redis.Nil) { // it may have gone since it was listed
		return err
	}
	lifetime, err := rdb.PTTL(ctx, key).Result()
	if err != nil {
		return err
	}
	d[key] = fmt.Sprintf("%s %v", kind, value)
	if lifetime >= 0 {
		d[key] += " with a lifetime"
	}
	return nil
}

// Changes tells what is different later, one place at a time; nothing if all is
// the same.
func (d Dump) Changes(later Dump) []string {
	var changes []string
	for _, place := range slices.Sorted(maps.Keys(d)) {
		now, there := later[place]
		switch {
		case !there:
			changes = append(changes, place+" is gone")
		case now != d[place]:
			changes = append(changes, fmt.Sprintf("%s was %s and is %s", place, d[place], now))
		}
	}
	for _, place := range slices.Sorted(maps.Keys(later)) {
		if _, before := d[place]; !before {
			changes = append(changes, place+" is new: "+later[place])
		}
	}
	return changes
}
