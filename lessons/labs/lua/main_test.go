package lua_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// two are connections of two clients to one empty database that is nobody else's.
func two(t *testing.T) (a, b *redis.Client) {
	t.Helper()
	a = enginetest.Database(t)
	b = redis.NewClient(a.Options())
	t.Cleanup(func() { must(t, b.Close()) })
	return a, b
}

// connect is a client of a server that the test has for itself.
func connect(t *testing.T, e *engine.Engine) *redis.Client {
	t.Helper()
	client := e.Client(0)
	t.Cleanup(func() { must(t, client.Close()) })
	return client
}

// run sends a script of this lab with its source.
func run(t *testing.T, rdb redis.Scripter, script string, keys []string, args ...any) (any, error) {
	t.Helper()
	return rdb.Eval(t.Context(), lua.Source(script), keys, args...).Result()
}

// wantReply is for scripts that are to answer.
func wantReply(t *testing.T, want any) func(got any, err error) {
	t.Helper()
	return func(got any, err error) {
		t.Helper()
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("answer (-want +got):\n%s", diff)
		}
	}
}

// wantError is for commands that are to fail. An error of Redis begins with its kind, in capitals.
func wantError(t *testing.T, err error, begins string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), begins) {
		t.Errorf("got %v, want an error that begins with %q", err, begins)
	}
}

// wantKeys compares the string keys of the database with what they should be.
func wantKeys(t *testing.T, rdb *redis.Client, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, values(t, rdb)); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// values are the keys of the database, each with its serialised value or, if it is a string, with that.
func values(t *testing.T, rdb *redis.Client) map[string]string {
	t.Helper()
	keys, err := rdb.Keys(t.Context(), "*").Result()
	must(t, err)
	found := map[string]string{}
	for _, key := range keys {
		if rdb.Type(t.Context(), key).Val() == "string" {
			found[key], err = rdb.Get(t.Context(), key).Result()
		} else {
			found[key], err = rdb.Dump(t.Context(), key).Result()
		}
		must(t, err)
	}
	return found
}

func set(t *testing.T, rdb *redis.Client, pairs ...string) {
	t.Helper()
	must(t, rdb.MSet(t.Context(), pairs).Err())
}

func wantContains(t *testing.T, what string, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: got %v, want an error that says %q", what, err, part)
	}
}
