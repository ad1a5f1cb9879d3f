package main

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var limitScript = newScript("limit")

// limiter allows each client so many requests in a fixed window of time.
type limiter struct {
	rdb    *redis.Client
	limit  int
	window time.Duration
}

// allow counts one request of the client. When it is refused, wait says how
// long the window still lasts. An error means that nobody knows: Redis did not
// answer, or the counter is damaged.
func (l limiter) allow(ctx context.Context, client string) (ok bool, wait time.Duration, err error) {
	key := keyPrefix + "limit:" + client
	reply, err := limitScript.run(ctx, l.rdb, []string{key}, l.limit, l.window.Milliseconds())
	if err != nil {
		return false, 0, err
	}
	answer, _ := reply.([]any)
	switch {
	case len(answer) == 3 && answer[0] == int64(1):
		return true, 0, nil
	case len(answer) == 3 && answer[0] == int64(0):
		left, _ := answer[2].(int64)
		return false, time.Duration(left) * time.Millisecond, nil
	default:
		return false, 0, fmt.Errorf("script limit on %q: unexpected answer %v", key, reply)
	}
}
