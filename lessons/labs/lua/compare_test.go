package lua_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

const lock = "lock:stock"

func TestCompareByScript(t *testing.T) {
	compares(t, enginetest.Database, func(rdb *redis.Client) lua.Comparer { return lua.ByScript{Redis: rdb} })
}

func TestCompareByWatch(t *testing.T) {
	compares(t, enginetest.Database, func(rdb *redis.Client) lua.Comparer { return lua.ByWatch{Redis: rdb} })
}

// The server decides whether this runs: it needs Redis 8.4, and INFO says which Redis it is.
func TestCompareNatively(t *testing.T) {
	if reason := lua.NeedsNative(enginetest.Shared(t).Version()); reason != "" {
		t.Skip(reason)
	}
	compares(t, enginetest.Database, func(rdb *redis.Client) lua.Comparer { return lua.Native{Redis: rdb} })
}

// The four conditions of SET and DELEX, where the server has them: the words are those of Redis 8.4.
func TestTheFourConditions(t *testing.T) {
	if reason := lua.NeedsNative(enginetest.Shared(t).Version()); reason != "" {
		t.Skip(reason)
	}
	rdb := enginetest.Database(t)
	set(t, rdb, lock, "token-a", "other", "token-b")
	mine, err := rdb.Do(t.Context(), "DIGEST", lock).Text()
	must(t, err)
	theirs, err := rdb.Do(t.Context(), "DIGEST", "other").Text()
	must(t, err)
	for _, c := range []struct {
		condition, value string
		holds            bool
	}{
		{"IFEQ", "token-a", true},
		{"IFEQ", "token-b", false},
		{"IFNE", "token-a", false},
		{"IFNE", "token-b", true},
		{"IFDEQ", mine, true},
		{"IFDEQ", theirs, false},
		{"IFDNE", mine, false},
		{"IFDNE", theirs, true},
	} {
		must(t, rdb.Set(t.Context(), lock, "token-a", time.Hour).Err())
		err := rdb.Do(t.Context(), "SET", lock, "token-c", c.condition, c.value).Err()
		if written := err == nil; written != c.holds || err != nil && !errors.Is(err, redis.Nil) {
			t.Errorf("SET %s %s: %v, want it done: %v", c.condition, c.value, err, c.holds)
		}
		must(t, rdb.Set(t.Context(), lock, "token-a", time.Hour).Err())
		deleted, err := rdb.Do(t.Context(), "DELEX", lock, c.condition, c.value).Bool()
		if err != nil || deleted != c.holds {
			t.Errorf("DELEX %s %s: %v, %v, want it done: %v", c.condition, c.value, deleted, err, c.holds)
		}
	}
}

// Whatever the server is, the best way for it works on it.
func TestCompareTheBestWay(t *testing.T) {
	version := enginetest.Shared(t).Version()
	compares(t, enginetest.Database, func(rdb *redis.Client) lua.Comparer { return lua.Best(version, rdb) })
}

// compares is what every Comparer has to do.
func compares(t *testing.T, database func(testing.TB) *redis.Client, of func(*redis.Client) lua.Comparer) {
	const mine, theirs = "token-a", "token-b"
	put := func(value string) func(*testing.T, *redis.Client) {
		return func(t *testing.T, rdb *redis.Client) { must(t, rdb.Set(t.Context(), lock, value, time.Hour).Err()) }
	}
	nothing := func(*testing.T, *redis.Client) {}
	list := func(t *testing.T, rdb *redis.Client) { must(t, rdb.RPush(t.Context(), lock, mine).Err()) }
	deleteIf := func(ctx context.Context, c lua.Comparer) (bool, error) { return c.DeleteIf(ctx, lock, mine) }
	setIf := func(ctx context.Context, c lua.Comparer) (bool, error) { return c.SetIf(ctx, lock, mine, theirs) }

	for name, c := range map[string]struct {
		before func(*testing.T, *redis.Client)
		do     func(context.Context, lua.Comparer) (bool, error)
		done   bool
		after  map[string]string
	}{
		"delete mine":          {put(mine), deleteIf, true, map[string]string{}},
		"leave theirs":         {put(theirs), deleteIf, false, map[string]string{lock: theirs}},
		"delete what is gone":  {nothing, deleteIf, false, map[string]string{}},
		"leave what is longer": {put(mine + mine), deleteIf, false, map[string]string{lock: mine + mine}},
		"leave what is empty":  {put(""), deleteIf, false, map[string]string{lock: ""}},
		"set mine":             {put(mine), setIf, true, map[string]string{lock: theirs}},
		"do not set theirs":    {put(theirs), setIf, false, map[string]string{lock: theirs}},
		"do not set a new":     {nothing, setIf, false, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			rdb := database(t)
			c.before(t, rdb)
			done, err := c.do(t.Context(), of(rdb))
			must(t, err)
			if done != c.done {
				t.Errorf("done %v, want %v", done, c.done)
			}
			wantKeys(t, rdb, c.after)
		})
	}
	t.Run("another type is an error", func(t *testing.T) {
		for _, do := range []func(context.Context, lua.Comparer) (bool, error){deleteIf, setIf} {
			rdb := database(t)
			list(t, rdb)
			if done, err := do(t.Context(), of(rdb)); done || !redis.HasErrorPrefix(err, "WRONGTYPE") {
				t.Errorf("done %v, %v; want WRONGTYPE", done, err)
			}
			if n := rdb.LLen(t.Context(), lock).Val(); n != 1 {
				t.Errorf("the list has %d items, want its 1", n)
			}
		}
	})
	t.Run("set removes the lifetime", func(t *testing.T) {
		rdb := database(t)
		put(mine)(t, rdb)
		_, err := setIf(t.Context(), of(rdb))
		must(t, err)
		if left := rdb.TTL(t.Context(), lock).Val(); left != -1 {
			t.Errorf("lifetime %v, want none", left)
		}
	})
}

// GET and then DEL from the client: the lock runs out in between and becomes another's.
func TestGetThenDeleteTakesAnothersLock(t *testing.T) {
	late, other := two(t)
	set(t, late, lock, "token-a")
	if held := late.Get(t.Context(), lock).Val(); held != "token-a" {
		t.Fatalf("holds %q, want its own token", held)
	}
	set(t, other, lock, "token-b")
	must(t, late.Del(t.Context(), lock).Err())
	wantKeys(t, other, map[string]string{}) // which other believes to hold
}

// The same with WATCH: Redis saw the write and does nothing. The commands, as they are sent.
func TestWatchAborts(t *testing.T) {
	late, other := two(t)
	set(t, late, lock, "token-a")
	conn := late.Conn()
	defer conn.Close()
	send := func(command ...any) (any, error) {
		t.Helper()
		return conn.Do(t.Context(), command...).Result()
	}
	wantReply(t, any("OK"))(send("WATCH", lock))
	wantReply(t, any("token-a"))(send("GET", lock))
	set(t, other, lock, "token-b")
	wantReply(t, any("OK"))(send("MULTI"))
	wantReply(t, any("QUEUED"))(send("DEL", lock))
	if _, err := send("EXEC"); !errors.Is(err, redis.Nil) {
		t.Errorf("EXEC: %v, want the nil that says it was aborted", err)
	}
	wantKeys(t, other, map[string]string{lock: "token-b"})
}

// meddler writes with another client before EXEC is sent.
type meddler struct{ write func(context.Context) error }

func (meddler) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (meddler) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }
func (m meddler) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, commands []redis.Cmder) error {
		if err := m.write(ctx); err != nil {
			return err
		}
		return next(ctx, commands)
	}
}

// The abort reaches the caller as ErrChanged, who then decides.
func TestByWatchTellsOfTheAbort(t *testing.T) {
	for name, do := range map[string]func(context.Context, lua.Comparer) (bool, error){
		"delete": func(ctx context.Context, c lua.Comparer) (bool, error) { return c.DeleteIf(ctx, lock, "token-a") },
		"set":    func(ctx context.Context, c lua.Comparer) (bool, error) { return c.SetIf(ctx, lock, "token-a", "x") },
	} {
		t.Run(name, func(t *testing.T) {
			late, other := two(t)
			set(t, late, lock, "token-a")
			late.AddHook(meddler{func(ctx context.Context) error { return other.Set(ctx, lock, "token-b", 0).Err() }})
			if done, err := do(t.Context(), lua.ByWatch{Redis: late}); done || !errors.Is(err, lua.ErrChanged) {
				t.Errorf("done %v, %v; want ErrChanged", done, err)
			}
			wantKeys(t, other, map[string]string{lock: "token-b"})
		})
	}
}

// EXEC takes nothing back either: of two commands, the second one runs though the first one failed.
func TestExecHasNoRollback(t *testing.T) {
	rdb := enginetest.Database(t)
	set(t, rdb, "title", "Lamp")
	replies, err := rdb.TxPipelined(t.Context(), func(p redis.Pipeliner) error {
		p.Incr(t.Context(), "title")
		p.Incr(t.Context(), "generation")
		return nil
	})
	wantError(t, err, "ERR value is not an integer")
	if err := replies[1].Err(); err != nil {
		t.Errorf("the second command: %v, want it done", err)
	}
	wantKeys(t, rdb, map[string]string{"title": "Lamp", "generation": "1"})
}
