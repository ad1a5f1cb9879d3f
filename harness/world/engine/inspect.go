package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// wantedDatabases is Redis' own default. More than sixteen cells side by side would only slow each
// other down.
const wantedDatabases = 16

// inspectTimeout bounds the questions asked of a server that is there already.
const inspectTimeout = 5 * time.Second

// inspect fills in the version and returns how many keys each database holds.
func (e *Engine) inspect(ctx context.Context) (keys []int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, inspectTimeout)
	defer cancel()
	client := e.Client(0)
	defer client.Close()

	if e.kind != Miniredis { // it has no INFO server, so it cannot say
		if e.version, err = askVersion(ctx, client); err != nil {
			return nil, err
		}
	}
	return countKeys(ctx, client)
}

func askVersion(ctx context.Context, client *redis.Client) (Version, error) {
	info, err := client.Info(ctx, "server").Result()
	if err != nil {
		return Version{}, fmt.Errorf("ask for the server's version: %w", err)
	}
	lines := bufio.NewScanner(strings.NewReader(info))
	for lines.Scan() {
		if version, found := strings.CutPrefix(lines.Text(), "redis_version:"); found {
			return ParseVersion(strings.TrimSpace(version))
		}
	}
	return Version{}, fmt.Errorf("INFO server has no redis_version: is it a Redis server?")
}

// countKeys asks each database for its size, on one connection. A server that has fewer databases
// refuses the SELECT; CONFIG GET would say how many there are, but hosted servers often forbid it.
func countKeys(ctx context.Context, client *redis.Client) (keys []int64, err error) {
	conn := client.Conn()
	defer conn.Close()
	for db := range wantedDatabases {
		if err := conn.Select(ctx, db).Err(); err != nil {
			if db > 0 && isRefusal(err) {
				return keys, nil
			}
			return nil, fmt.Errorf("select database %d: %w", db, err)
		}
		size, err := conn.DBSize(ctx).Result()
		if err != nil {
			return nil, fmt.Errorf("count the keys of database %d: %w", db, err)
		}
		keys = append(keys, size)
	}
	return keys, nil
}

// isRefusal says whether the server answered, and answered with an ordinary error. The library's own
// HasErrorPrefix does not find ERR: it looks behind it.
func isRefusal(err error) bool {
	var answer redis.Error
	return errors.As(err, &answer) && strings.HasPrefix(answer.Error(), "ERR ")
}
