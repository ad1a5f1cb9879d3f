// Package release: a lock that anybody can give back.
//
// A process takes a lock with SET lock:stock token NX EX 30, and the token is its own. When it is done, it
// gives the lock back with Release. But it may be late: the lock has run out, and is another's by now.
//
// Repair release.lua, which has forgotten the token. Then run: make lab LAB=lua
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
