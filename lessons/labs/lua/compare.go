package lua

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
)

// Comparer changes a string key only if it holds what the caller believes it holds. It says whether
// it did. A key of another type is an error.
//
// This is how a lock is given back by whoever owns it. It does not make a lock: what happens after
// the lease has run out, in a long pause, or when Redis fails over, is decided elsewhere.
type Comparer interface {
	DeleteIf(ctx context.Context, key, held string) (done bool, err error)
	// SetIf also removes the key's lifetime, as SET does.
	SetIf(ctx context.Context, key, held, value string) (done bool, err error)
}

// ByScript works on every Redis that has scripts.
type ByScript struct{ Redis redis.Scripter }

var (
	compareDelete = script("compare-delete")
	compareSet    = script("compare-set")
)

// DeleteIf is part of Comparer.
func (c ByScript) DeleteIf(ctx context.Context, key, held string) (bool, error) {
	return told("delete", key)(compareDelete.Run(ctx, c.Redis, []string{key}, held).Bool())
}

// SetIf is part of Comparer.
func (c ByScript) SetIf(ctx context.Context, key, held, value string) (bool, error) {
	return told("set", key)(compareSet.Run(ctx, c.Redis, []string{key}, held, value).Bool())
}

// ErrChanged is the answer of ByWatch if the key was written between its look and its change. Nothing
// was done. Whether to look again is the caller's decision, and so is how often.
var ErrChanged = errors.New("the key was changed meanwhile")

// ByWatch is the optimistic way: look, and change only if nobody has written since.
type ByWatch struct{ Redis *redis.Client }

// DeleteIf is part of Comparer.
func (c ByWatch) DeleteIf(ctx context.Context, key, held string) (bool, error) {
	return told("delete", key)(c.watch(ctx, key, held, func(p redis.Pipeliner) { p.Del(ctx, key) }))
}

// SetIf is part of Comparer.
func (c ByWatch) SetIf(ctx context.Context, key, held, value string) (bool, error) {
	return told("set", key)(c.watch(ctx, key, held, func(p redis.Pipeliner) { p.Set(ctx, key, value, 0) }))
}

func (c ByWatch) watch(ctx context.Context, key, held string, change func(redis.Pipeliner)) (done bool, err error) {
	err = c.Redis.Watch(ctx, func(tx *redis.Tx) error {
		value, err := tx.Get(ctx, key).Result()
		if errors.Is(err, redis.Nil) || err == nil && value != held {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			change(p)
			return nil
		})
		done = err == nil
		return err
	}, key)
	if errors.Is(err, redis.TxFailedErr) {
		return false, ErrChanged
	}
	return done, err
}

// Native uses one command of Redis 8.4 and newer: DELEX, and SET with IFEQ.
type Native struct{ Redis *redis.Client }

// DeleteIf is part of Comparer.
func (c Native) DeleteIf(ctx context.Context, key, held string) (bool, error) {
	deleted, err := c.Redis.DelExArgs(ctx, key, redis.DelExArgs{Mode: "IFEQ", MatchValue: held}).Result()
	return told("delete", key)(deleted == 1, err)
}

// SetIf is part of Comparer.
func (c Native) SetIf(ctx context.Context, key, held, value string) (bool, error) {
	err := c.Redis.SetIFEQ(ctx, key, value, held, 0).Err()
	if errors.Is(err, redis.Nil) {
		return false, nil
	}
	return told("set", key)(err == nil, err)
}

func told(what, key string) func(bool, error) (bool, error) {
	return func(done bool, err error) (bool, error) {
		if err != nil {
			return false, fmt.Errorf("%s %s if it holds what is expected: %w", what, key, err)
		}
		return done, nil
	}
}

// NeedsNative says why a server has no native comparison; empty if it has.
func NeedsNative(server engine.Version) (reason string) {
	if server.AtLeast(8, 4) {
		return ""
	}
	return "not_run (needs 8.4)"
}

// Best is the native command where the server has it, and the script elsewhere: one command that
// carries the whole rule needs no script.
func Best(server engine.Version, rdb *redis.Client) Comparer {
	if NeedsNative(server) == "" {
		return Native{rdb}
	}
	return ByScript{rdb}
}
