// Package check checks the exercises of the lab lua. They run on a Redis in a container, and without
// Docker on miniredis: that is a rehearsal, and is said.
package check

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"regexp"
	"slices"
	"strings"
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

func start(t testing.TB) server {
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

// story plays something with two clients of an empty database.
func (s server) story(t testing.TB, play func(a, b *redis.Client)) {
	t.Helper()
	db, release, err := s.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	clients := make([]*redis.Client, 2)
	for i := range clients {
		clients[i] = s.Client(db)
		defer clients[i].Close()
		if err := clients[i].Ping(t.Context()).Err(); err != nil { // so that no greeting counts as a message
			t.Fatal(err)
		}
	}
	play(clients[0], clients[1])
}

// put writes what a case begins with: a string, or a list for a []string.
func put(t testing.TB, rdb *redis.Client, keys map[string]any) {
	t.Helper()
	for key, value := range keys {
		var err error
		if items, is := value.([]string); is {
			err = rdb.RPush(t.Context(), key, items).Err()
		} else {
			err = rdb.Set(t.Context(), key, value, 0).Err()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// keys is what the database holds, as put takes it.
func keys(t testing.TB, rdb *redis.Client) map[string]any {
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

// list shows keys and what they hold to the learner.
func list(keys map[string]any) string {
	if len(keys) == 0 {
		return "there is no key"
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		parts = append(parts, fmt.Sprintf("%s is %v", key, keys[key]))
	}
	return strings.Join(parts, ", ")
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

// beforeEachMessage plays a story with something that happens before the first message of a client, then
// before its second one, and so on, until it has no more of them.
func beforeEachMessage(t testing.TB, s server, play func(a, b *redis.Client, nth int) (happened bool)) {
	t.Helper()
	const most = 20 // far more than any way of doing the exercises needs
	happened := true
	for nth := 1; happened; nth++ {
		s.story(t, func(a, b *redis.Client) { happened = play(a, b, nth) })
		if nth == most {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("fewer than %d messages to Redis", most),
				Seen:     fmt.Sprint(most),
				Hint:     "one script does",
			})
		}
	}
}

// withinPatience is the context of one step.
func withinPatience(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// digest is what Redis puts behind an error of a script.
var digest = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:\d+\.$`)

// answers ends the check if something went wrong that should have been answered.
func answers(t testing.TB, what string, err error) {
	t.Helper()
	var network net.Error
	switch {
	case err == nil:
	case errors.As(err, &network) && network.Timeout() || redis.HasErrorPrefix(err, "BUSY"):
		t.Fatal(exercise.Finding{
			Expected: what + " is answered",
			Seen:     "Redis does not answer any more",
			Because:  "while a script runs, everybody waits",
			Hint:     "which loop of the script has no end?",
			Lesson:   "lua-scripts.md#a-script-without-an-end",
		})
	default:
		t.Fatal(exercise.Finding{
			Expected: what + " is answered",
			Seen:     digest.ReplaceAllString(err.Error(), ""),
			Hint:     "user_script:7 is line 7 of your script",
		})
	}
}
