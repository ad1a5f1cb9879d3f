package engine

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/redis/go-redis/v9"
)

// openURL uses a server that is there already and belongs to the user.
func openURL(ctx context.Context, choice Choice) (*Engine, error) {
	options, err := parseURL(choice.URL)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		kind:      URL,
		addr:      options.Addr,
		user:      credentials(options),
		label:     fmt.Sprintf("Redis at %s (yours)", options.Addr),
		rehearsal: fmt.Sprintf("ran on your own server at %s, not in a container that the harness started", options.Addr),
	}
	stop := func(context.Context) error { return nil }
	if options.TLSConfig != nil {
		// A proxy that injects faults has to read what passes, so TLS ends here.
		tunnel, err := openTunnel(ctx, options.Addr, options.TLSConfig)
		if err != nil {
			return nil, fmt.Errorf("redis at %s: %w", options.Addr, err)
		}
		e.addr, stop = tunnel.addr(), tunnel.close
	}

	choice.progress("asking Redis at %s what it holds", options.Addr)
	keys, err := e.finish(ctx, choice, stop)
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("redis at %s: %w", options.Addr, ctx.Err())
		}
		return nil, &unavailable{what: "Redis at " + options.Addr + " is not usable", cause: err}
	}
	if held := describe(keys); held != "" && !choice.MayFlush {
		// This is what stands between a mistyped URL and somebody's data.
		refusal := fmt.Errorf("redis at %s: %w (%s) and a run would delete them: name an empty server, or allow it with --i-may-flush",
			options.Addr, ErrNotEmpty, held)
		return nil, errors.Join(refusal, e.Close())
	}
	e.label = fmt.Sprintf("%s at %s (yours)", e.version, options.Addr)
	return e, nil
}

// parseURL keeps what the URL says out of its errors, because it may say a password. The parsers
// below it quote what they cannot read.
func parseURL(raw string) (*redis.Options, error) {
	options, err := redis.ParseURL(raw)
	if err != nil || !strings.HasPrefix(raw, "redis") {
		return nil, errors.New("the Redis URL cannot be read: write redis://host:port, redis://user:password@host:port, " +
			"or rediss:// for TLS, with special characters in the password written as %XX")
	}
	if options.DB != 0 {
		return nil, fmt.Errorf("the Redis URL names database %d, but a run uses databases 0 to %d: leave the number out",
			options.DB, wantedDatabases-1)
	}
	return options, nil
}

func credentials(options *redis.Options) *url.Userinfo {
	if options.Username == "" && options.Password == "" {
		return nil
	}
	return url.UserPassword(options.Username, options.Password)
}

// describe says which databases hold how many keys, and nothing if none does.
func describe(keys []int64) string {
	var held []string
	for db, count := range keys {
		switch {
		case count == 1:
			held = append(held, fmt.Sprintf("database %d: 1 key", db))
		case count > 1:
			held = append(held, fmt.Sprintf("database %d: %d keys", db, count))
		}
	}
	return strings.Join(held, ", ")
}
