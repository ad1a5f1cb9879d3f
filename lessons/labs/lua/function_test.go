package lua_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

// A library of functions is kept with the data: after a restart it answers, where a script does not.
func TestFunctionSurvivesARestart(t *testing.T) {
	server := enginetest.Alone(t)
	before := connect(t, server)
	wantReply(t, any("shop"))(before.Do(t.Context(), "FUNCTION", "LOAD", lua.Source("shop")).Result())
	set(t, before, lamps, "8")
	wantReply(t, any([]any{int64(1), int64(5)}))(before.FCall(t.Context(), "reserve", []string{lamps}, 3).Result())

	must(t, server.Crash(t.Context()))
	after := connect(t, server)
	wantReply(t, any([]any{int64(0), int64(5)}))(after.FCall(t.Context(), "reserve", []string{lamps}, 6).Result())
	wantReply(t, any([]any{int64(1), int64(0)}))(after.FCall(t.Context(), "reserve", []string{lamps}, 5).Result())
}

// What comes twice is refused, unless it is meant.
func TestFunctionLoadReplacesOnlyWhenTold(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	must(t, rdb.FunctionLoad(t.Context(), lua.Source("shop")).Err())
	wantError(t, rdb.FunctionLoad(t.Context(), lua.Source("shop")).Err(), "ERR Library 'shop' already exists")
	must(t, rdb.FunctionLoadReplace(t.Context(), lua.Source("shop")).Err())
}

func TestFunctionRefusesBadPieces(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	must(t, rdb.FunctionLoad(t.Context(), lua.Source("shop")).Err())
	set(t, rdb, lamps, "8")
	for _, pieces := range []string{"0", "-1", "1.5", "1e3", "", "1000000"} {
		wantReply(t, any([]any{int64(2), "invalid-arguments"}))(rdb.FCall(t.Context(), "reserve", []string{lamps}, pieces).Result())
	}
	set(t, rdb, lamps, "eight")
	wantContains(t, "a stock that is no number", rdb.FCall(t.Context(), "reserve", []string{lamps}, 1).Err(), "attempt to compare")
	wantKeys(t, rdb, map[string]string{lamps: "eight"})
}

// FCALL_RO runs what is declared to read only, and EVAL_RO what turns out to.
func TestReadOnlyRefusesAWrite(t *testing.T) {
	rdb := connect(t, enginetest.Alone(t))
	must(t, rdb.FunctionLoad(t.Context(), lua.Source("shop")).Err())
	set(t, rdb, lamps, "8")

	wantReply(t, any(int64(8)))(rdb.FCallRo(t.Context(), "left", []string{lamps}).Result())
	err := rdb.FCallRo(t.Context(), "reserve", []string{lamps}, 1).Err()
	wantError(t, err, "ERR Can not execute a script with write flag using *_ro command")

	readOnly := func(name string, keys []string, args ...any) *redis.Cmd {
		return rdb.EvalRO(t.Context(), lua.Source(name), keys, args...)
	}
	wantReply(t, any([]any{int64(0), int64(8)}))(readOnly("reserve", []string{lamps}, 9).Result()) // refuses, so it reads only
	wantError(t, readOnly("reserve", []string{lamps}, 1).Err(), "ERR Write commands are not allowed from read-only scripts")
	wantKeys(t, rdb, map[string]string{lamps: "8"})
}
