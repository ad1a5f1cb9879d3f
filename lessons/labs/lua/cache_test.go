package lua_test

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

var add = redis.NewScript(lua.Source("add"))

// A digest is good for as long as the server knows the script. NOSCRIPT says that nothing ran; to send
// the source then is a normal day.
func TestNoScriptAfterScriptFlush(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	digest, err := add.Load(t.Context(), rdb).Result()
	must(t, err)
	byDigest := func() *redis.Cmd { return rdb.EvalSha(t.Context(), digest, []string{"n"}, 5) }
	wantReply(t, any(int64(5)))(byDigest().Result())

	must(t, rdb.ScriptFlush(t.Context()).Err())
	if err := byDigest().Err(); !redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Errorf("got %v, want NOSCRIPT", err)
	}
	wantKeys(t, rdb, map[string]string{"n": "5"})

	wantReply(t, any(int64(10)))(add.Run(t.Context(), rdb, []string{"n"}, 5).Result()) // repairs it
	wantReply(t, any(int64(15)))(byDigest().Result())
}

// The data survive the server, the scripts do not.
func TestNoScriptAfterRestart(t *testing.T) {
	server := enginetest.Alone(t)
	before := connect(t, server)
	digest, err := add.Load(t.Context(), before).Result()
	must(t, err)
	wantReply(t, any(int64(5)))(before.EvalSha(t.Context(), digest, []string{"n"}, 5).Result())

	must(t, server.Crash(t.Context()))
	after := connect(t, server)
	if err := after.EvalSha(t.Context(), digest, []string{"n"}, 5).Err(); !redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Errorf("got %v, want NOSCRIPT", err)
	}
	wantKeys(t, after, map[string]string{"n": "5"})
}

// In a pipeline the commands behind the missing script have run by the time its NOSCRIPT is read. To
// repeat it then would put it into another place. EVAL carries its source.
func TestPipelineNeedsEval(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	pipeline := func(send func(redis.Pipeliner) *redis.Cmd) []string {
		t.Helper()
		must(t, rdb.Del(t.Context(), "n").Err())
		commands, _ := rdb.Pipelined(t.Context(), func(p redis.Pipeliner) error { // each tells its own error
			p.Set(t.Context(), "n", 1, 0)
			send(p)
			p.Append(t.Context(), "n", "0")
			return nil
		})
		var outcomes []string
		for _, c := range commands {
			outcome := "done"
			if c.Err() != nil {
				outcome = regexp.MustCompile(`^[A-Z]+`).FindString(c.Err().Error())
			}
			outcomes = append(outcomes, outcome)
		}
		return append(outcomes, rdb.Get(t.Context(), "n").Val())
	}
	for name, c := range map[string]struct {
		send func(redis.Pipeliner) *redis.Cmd
		want []string
	}{
		"EVALSHA": {
			func(p redis.Pipeliner) *redis.Cmd { return add.EvalSha(t.Context(), p, []string{"n"}, 5) },
			[]string{"done", "NOSCRIPT", "done", "10"}, // 1, then a 0 behind it; to add now would give 15
		},
		"Run, which repairs NOSCRIPT elsewhere": {
			func(p redis.Pipeliner) *redis.Cmd { return add.Run(t.Context(), p, []string{"n"}, 5) },
			[]string{"done", "NOSCRIPT", "done", "10"},
		},
		"EVAL": {
			func(p redis.Pipeliner) *redis.Cmd { return add.Eval(t.Context(), p, []string{"n"}, 5) },
			[]string{"done", "done", "done", "60"}, // 1, then 6, then a 0 behind it
		},
	} {
		t.Run(name, func(t *testing.T) {
			must(t, rdb.ScriptFlush(t.Context()).Err())
			if diff := cmp.Diff(c.want, pipeline(c.send)); diff != "" {
				t.Errorf("outcomes, and n (-want +got):\n%s", diff)
			}
		})
	}
}

// A value in the source makes another script of every value, and the server keeps them.
func TestValuesBelongInArgv(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	const calls = 50
	for value := range calls {
		must(t, add.Eval(t.Context(), rdb, []string{"n"}, value).Err())
	}
	if n := cachedScripts(t, rdb); n != 1 {
		t.Errorf("%d scripts with the value in ARGV, want 1", n)
	}
	must(t, rdb.ScriptFlush(t.Context()).Err())
	for value := range calls {
		source := fmt.Sprintf("return redis.call('INCRBY', KEYS[1], %d)", value)
		must(t, rdb.Eval(t.Context(), source, []string{"m"}).Err())
	}
	if n := cachedScripts(t, rdb); n != calls {
		t.Errorf("%d scripts with the value in the source, want %d", n, calls)
	}
}

func cachedScripts(t *testing.T, rdb *redis.Client) int {
	t.Helper()
	return info(t, rdb, "number_of_cached_scripts")
}

// info is a whole number out of INFO memory.
func info(t *testing.T, rdb *redis.Client, name string) int {
	t.Helper()
	text, err := rdb.Info(t.Context(), "memory").Result()
	must(t, err)
	found := regexp.MustCompile(`(?m)^` + name + `:(\d+)\r?$`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("INFO memory has no number %s:\n%s", name, text)
	}
	n, err := strconv.Atoi(found[1])
	must(t, err)
	return n
}
