package lua_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
)

const mebibyte = 1 << 20

// full is a server whose memory is over its limit, with one small key, "old".
func full(t *testing.T) *redis.Client {
	t.Helper()
	rdb := connect(t, enginetest.Alone(t))
	set(t, rdb, "old", "x")
	limit(t, rdb, info(t, rdb, "used_memory")/2)
	wantError(t, rdb.Set(t.Context(), "any", "x", 0).Err(), "OOM")
	return rdb
}

func limit(t *testing.T, rdb *redis.Client, bytes int) {
	t.Helper()
	must(t, rdb.ConfigSet(t.Context(), "maxmemory", strconv.Itoa(bytes)).Err())
	t.Cleanup(func() {
		if err := rdb.ConfigSet(context.WithoutCancel(t.Context()), "maxmemory", "0").Err(); err != nil {
			t.Error(err)
		}
	})
}

// The first write is refused, so nothing was written.
func TestFullMemoryRefusesTheFirstWrite(t *testing.T) {
	rdb := full(t)
	_, err := run(t, rdb, "store-two", []string{"a", "b"}, "x")
	wantError(t, err, "OOM")
	wantKeys(t, rdb, map[string]string{"old": "x"})
}

// DEL needs no memory and is let through. After it Redis asks no more: a value of a mebibyte is stored
// twice, on a server that was over its limit before.
func TestFullMemoryIsNotAskedAfterAWrite(t *testing.T) {
	for name, deletes := range map[string]string{
		"after deleting a small key":  "old",
		"after deleting what was not": "nothing-there",
	} {
		t.Run(name, func(t *testing.T) {
			rdb := full(t)
			before := info(t, rdb, "used_memory")
			wantReply(t, any("OK"))(run(t, rdb, "replace", []string{deletes, "a", "b"}, strings.Repeat("x", mebibyte)))
			if grown := info(t, rdb, "used_memory") - before; grown < 2*mebibyte {
				t.Errorf("memory has grown by %d bytes, want two mebibytes or more beyond the limit", grown)
			}
		})
	}
}

// Redis looks once, when the script begins. One that begins below the limit writes beyond it.
func TestFullMemoryIsAskedOnce(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	before := info(t, rdb, "used_memory")
	limit(t, rdb, before+3*mebibyte/2) // there is room for one, with what sending it takes
	values := make([]any, 1)
	values[0] = strings.Repeat("x", mebibyte/4)
	source := "for i = 1, 16 do redis.call('SET', KEYS[1] .. i, ARGV[1]) end return 'done'"
	wantReply(t, any("done"))(rdb.Eval(t.Context(), source, []string{"k"}, values...).Result())
	if grown := info(t, rdb, "used_memory") - before; grown < 4*mebibyte {
		t.Errorf("memory has grown by %d bytes, want the four mebibytes that were written", grown)
	}
	wantError(t, rdb.Set(t.Context(), "any", "x", 0).Err(), "OOM")
}

// A script with a first line of its own is not started over the limit, so its DEL is not done either.
func TestFullMemoryRefusesAScriptWithFlags(t *testing.T) {
	rdb := full(t)
	_, err := run(t, rdb, "replace-asking-first", []string{"old", "a", "b"}, "x")
	wantError(t, err, "OOM")
	wantKeys(t, rdb, map[string]string{"old": "x"})

	limit(t, rdb, 0)
	wantReply(t, any("OK"))(run(t, rdb, "replace-asking-first", []string{"old", "a", "b"}, "x"))
	wantKeys(t, rdb, map[string]string{"a": "x", "b": "x"})
}
