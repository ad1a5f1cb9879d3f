// Package check checks the exercises of the lab lua. They run on a Redis in a container, and without
// Docker on miniredis: that is a rehearsal, and is said.
package check

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/internal/exercise"
)

// patience bounds each step of a check, which a loop in a script would let wait for ever.
const patience = 10 * time.Second

type server struct{ *engine.Engine }

func start(t *testing.T) server {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Choice{Kind: engine.Auto})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	if why := e.Rehearsal(); why != "" && os.Getenv(enginetest.RequireVariable) == "1" {
		t.Fatal(why)
	} else if why != "" {
		t.Log(why)
	}
	return server{e}
}

// two are connections of two clients to an empty database.
func (s server) two(t *testing.T) (a, b *redis.Client) {
	t.Helper()
	db, release, err := s.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(release)
	clients := make([]*redis.Client, 2)
	for i := range clients {
		clients[i] = s.Client(db)
		t.Cleanup(func() { clients[i].Close() })
	}
	return clients[0], clients[1]
}

// put writes what a case begins with: a string, or a list for a []string.
func put(t *testing.T, rdb *redis.Client, keys map[string]any) {
	t.Helper()
	for key, value := range keys {
		var err error
		if list, is := value.([]string); is {
			err = rdb.RPush(t.Context(), key, list).Err()
		} else {
			err = rdb.Set(t.Context(), key, value, 0).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// keys is what the database holds, as put takes it.
func keys(t *testing.T, rdb *redis.Client) map[string]any {
	t.Helper()
	names, err := rdb.Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]any{}
	for _, name := range names {
		if rdb.Type(t.Context(), name).Val() == "list" {
			found[name] = rdb.LRange(t.Context(), name, 0, -1).Val()
		} else {
			found[name] = rdb.Get(t.Context(), name).Val()
		}
	}
	return found
}

// between runs something before the nth message that a client sends. A script is one message, or two if
// the server has to be told its source.
type between struct {
	nth  int
	what func()
	seen *int
}

// meddle lets something happen before the nth message of rdb. It says afterwards whether it came to it.
func meddle(rdb *redis.Client, nth int, what func()) (happened func() bool) {
	seen := new(int)
	rdb.AddHook(between{nth, what, seen})
	return func() bool { return *seen >= nth }
}

func (b between) message() {
	if *b.seen++; *b.seen == b.nth {
		b.what()
	}
}

func (between) DialHook(next redis.DialHook) redis.DialHook { return next }

func (b between) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		b.message()
		return next(ctx, cmd)
	}
}

func (b between) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		b.message()
		return next(ctx, cmds)
	}
}

// mostMessages is more than any way of doing the exercises needs.
const mostMessages = 20

// withinPatience is the context of one step.
func withinPatience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// answers ends the check if something went wrong that should have been answered.
func answers(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(exercise.Finding{
			Expected: what + " is answered",
			Seen:     err.Error(),
			Hint:     "the error names the line of the script",
		})
	}
}
