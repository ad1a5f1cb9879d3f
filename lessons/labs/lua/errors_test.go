package lua_test

import (
	"testing"

	"example.com/importer/harness/world/engine/enginetest"
)

const shelf, store = "shelf:lamp", "store:lamp"

// Nobody came in between, and three lamps are gone: the write before the error stays.
func TestNoRollback(t *testing.T) {
	rdb := enginetest.Database(t)
	set(t, rdb, shelf, "8", store, "many")
	_, err := run(t, rdb, "move-too-trusting", []string{shelf, store}, 3)
	wantError(t, err, "ERR value is not an integer or out of range")
	wantKeys(t, rdb, map[string]string{shelf: "5", store: "many"})
}

// The same with everything looked at first.
func TestChecksBeforeTheFirstWrite(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		pieces   any
		want     []any
		after    map[string]string
	}{
		"moves":               {"8", "2", 3, []any{int64(1), int64(5), int64(5)}, map[string]string{shelf: "5", store: "5"}},
		"moves all":           {"8", "2", 8, []any{int64(1), int64(0), int64(10)}, map[string]string{shelf: "0", store: "10"}},
		"store is a word":     {"8", "many", 3, []any{int64(0), "invalid-shelf"}, nil},
		"shelf is a word":     {"few", "2", 3, []any{int64(0), "invalid-shelf"}, nil},
		"shelf is negative":   {"-8", "2", 3, []any{int64(0), "invalid-shelf"}, nil},
		"too few":             {"2", "2", 3, []any{int64(0), "too-few"}, nil},
		"too many":            {"8", "999998", 3, []any{int64(0), "too-many"}, nil},
		"no pieces":           {"8", "2", 0, []any{int64(0), "invalid-arguments"}, nil},
		"a part of a piece":   {"8", "2", "1.5", []any{int64(0), "invalid-arguments"}, nil},
		"more than there are": {"8", "2", 1_000_001, []any{int64(0), "invalid-arguments"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			rdb := enginetest.Database(t)
			before := map[string]string{shelf: c.from, store: c.to}
			set(t, rdb, shelf, c.from, store, c.to)
			wantReply(t, any(c.want))(run(t, rdb, "move", []string{shelf, store}, c.pieces))
			if c.after == nil {
				c.after = before
			}
			wantKeys(t, rdb, c.after)
		})
	}
	t.Run("to itself", func(t *testing.T) {
		rdb := enginetest.Database(t)
		set(t, rdb, shelf, "8")
		wantReply(t, any([]any{int64(0), "invalid-arguments"}))(run(t, rdb, "move", []string{shelf, shelf}, 3))
	})
	t.Run("another type is an error before the first write", func(t *testing.T) {
		rdb := enginetest.Database(t)
		set(t, rdb, shelf, "8")
		must(t, rdb.RPush(t.Context(), store, "2").Err())
		before := values(t, rdb)
		_, err := run(t, rdb, "move", []string{shelf, store}, 3)
		wantError(t, err, "WRONGTYPE")
		wantKeys(t, rdb, before)
	})
}

// redis.call ends the script and tells the caller. redis.pcall tells the script, and if that does not
// listen, nobody knows.
func TestPcallCanHideAnError(t *testing.T) {
	rdb := enginetest.Database(t)
	set(t, rdb, shelf, "8", store, "many")
	wantReply(t, any("moved"))(run(t, rdb, "move-swallowing", []string{shelf, store}, 3))
	wantKeys(t, rdb, map[string]string{shelf: "5", store: "many"})
}

// redis.pcall where the script has an answer to the error.
func TestPcallWithAReaction(t *testing.T) {
	rdb := enginetest.Database(t)
	length := func(want int64, code string) {
		t.Helper()
		wantReply(t, any([]any{want, code}))(run(t, rdb, "length", []string{"k"}))
	}
	length(0, "")
	must(t, rdb.RPush(t.Context(), "k", "a", "b").Err())
	length(2, "")
	must(t, rdb.Set(t.Context(), "k", "a", 0).Err())
	length(0, "not-a-list")
}

// The sandbox: there is no operating system in it, and no variable that outlives the script.
func TestSandbox(t *testing.T) {
	rdb := enginetest.Database(t)
	for source, says := range map[string]string{
		"return io.open('/etc/passwd')":        "nonexistent global variable 'io'",
		"return require('socket')":             "nonexistent global variable 'require'",
		"return os.execute('true')":            "user_script", // no os, or an os with a clock and nothing else
		"return dofile('/etc/passwd')":         "nonexistent global variable 'dofile'",
		"hits = 1 return hits":                 "Attempt to modify a readonly table",
		"redis.call('SHUTDOWN', 'NOSAVE')":     "not allowed from script",
		"redis.call('WATCH', KEYS[1])":         "not allowed from script",
		"goto done ::done:: return 1":          "Error compiling script", // a word of Lua 5.2
		"return {redis.call('GET')}":           "Wrong number of args",
		"return redis.call('NO-SUCH-COMMAND')": "Unknown Redis command",
	} {
		err := rdb.Eval(t.Context(), source, []string{"k"}).Err()
		wantContains(t, source, err, says)
	}
	wantReply(t, any(int64(1)))(rdb.Eval(t.Context(), "local hits = 1 return hits", nil).Result())
	wantReply(t, any("Lua 5.1"))(rdb.Eval(t.Context(), "return _VERSION", nil).Result())
}
