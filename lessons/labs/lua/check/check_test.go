package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

// recorder is a test whose end is no end of the real one.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Fatal(args ...any) {
	r.said = fmt.Sprint(args...)
	runtime.Goexit()
}

// says is what a check tells a learner, empty if it is content.
func says(t *testing.T, check func(testing.TB)) string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		check(r)
	}()
	<-done
	return r.said
}

// Attempts that go astray, each in its own way; what their learners read has been read.
func TestWrongAttempts(t *testing.T) {
	for name, check := range map[string]func(testing.TB, server, *redis.Script){
		"limiter/counts-refused":   hitsByScript,
		"limiter/moves-the-window": hitsByScript,
		"limiter/no-lifetime":      hitsByScript,
		"limiter/two-scripts": func(t testing.TB, s server, script *redis.Script) {
			limiter(t, s, func(ctx context.Context, rdb *redis.Client, key string, limit, seconds int64) (bool, error) {
				room, err := script.Run(ctx, rdb, []string{key}, "look", limit).Bool()
				if err != nil || !room {
					return false, err
				}
				return script.Run(ctx, rdb, []string{key}, "count", seconds).Bool()
			})
		},
		"release/pattern":         releasesByScript,
		"release/hides-the-error": releasesByScript,
		"release/looks-from-afar": func(t testing.TB, s server, script *redis.Script) {
			unlock(t, s, func(ctx context.Context, rdb *redis.Client, key, token string) (bool, error) {
				held, err := rdb.Get(ctx, key).Result()
				if errors.Is(err, redis.Nil) || err == nil && held != token {
					return false, nil
				}
				if err != nil {
					return false, err
				}
				return script.Run(ctx, rdb, []string{key}).Bool()
			})
		},
		"share/one-loop":   sharesByScript,
		"share/reads-late": sharesByScript,
		"share/misspelt":   sharesByScript,
	} {
		t.Run(name, func(t *testing.T) {
			s := server{enginetest.Shared(t)}
			golden(t, name, says(t, func(r testing.TB) { check(r, s, wrong(t, name)) }))
		})
	}
	t.Run("release/endless", func(t *testing.T) { // on a server that it may have to itself
		s := server{enginetest.Container(t)}
		golden(t, "release/endless", says(t, func(r testing.TB) { releasesByScript(r, s, wrong(t, "release/endless")) }))
	})
}

func wrong(t *testing.T, name string) *redis.Script {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("testdata/wrong", name+".lua"))
	if err != nil {
		t.Fatal(err)
	}
	return redis.NewScript(string(source))
}

func hitsByScript(t testing.TB, s server, script *redis.Script) {
	limiter(t, s, func(ctx context.Context, rdb *redis.Client, key string, limit, seconds int64) (bool, error) {
		return script.Run(ctx, rdb, []string{key}, limit, seconds).Bool()
	})
}

func releasesByScript(t testing.TB, s server, script *redis.Script) {
	unlock(t, s, func(ctx context.Context, rdb *redis.Client, key, token string) (bool, error) {
		return script.Run(ctx, rdb, []string{key}, token).Bool()
	})
}

func sharesByScript(t testing.TB, s server, script *redis.Script) {
	points(t, s, func(ctx context.Context, rdb *redis.Client, from string, friends []string, points int64) (string, error) {
		return script.Run(ctx, rdb, append([]string{from}, friends...), points).Text()
	})
}

// WATCH is a way to do the exercise limiter too, as long as it looks again.
func TestLimiterByWatchIsRight(t *testing.T) {
	hit := func(ctx context.Context, rdb *redis.Client, key string, limit, seconds int64) (allowed bool, err error) {
		for range 5 {
			err = rdb.Watch(ctx, func(tx *redis.Tx) error {
				hits, err := tx.Get(ctx, key).Int64()
				if err != nil && !errors.Is(err, redis.Nil) {
					return err
				}
				if allowed = hits < limit; !allowed {
					return nil
				}
				_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
					if hits == 0 {
						p.Do(ctx, "SET", key, 1, "EX", seconds)
					} else {
						p.Incr(ctx, key)
					}
					return nil
				})
				return err
			}, key)
			if !errors.Is(err, redis.TxFailedErr) {
				return allowed, err
			}
		}
		return false, err
	}
	s := server{enginetest.Shared(t)}
	if said := says(t, func(r testing.TB) { limiter(r, s, hit) }); said != "" {
		t.Error(said)
	}
}

// Without Docker the checks run too, and say what that is worth. They find the same faults.
func TestRehearsal(t *testing.T) {
	s := server{enginetest.Miniredis(t)}
	for _, name := range []string{"limiter/counts-refused", "limiter/moves-the-window", "limiter/no-lifetime"} {
		golden(t, name, says(t, func(r testing.TB) { hitsByScript(r, s, wrong(t, name)) }))
	}
	for _, name := range []string{"release/pattern", "release/hides-the-error"} {
		golden(t, name, says(t, func(r testing.TB) { releasesByScript(r, s, wrong(t, name)) }))
	}
	for _, name := range []string{"share/one-loop", "share/reads-late"} {
		golden(t, name, says(t, func(r testing.TB) { sharesByScript(r, s, wrong(t, name)) }))
	}
}

// updateVariable, set to 1, writes the golden files anew.
const updateVariable = "LABS_UPDATE_GOLDEN"

func golden(t *testing.T, name, got string) {
	t.Helper()
	if got == "" {
		t.Fatalf("%s: the check is content", name)
	}
	file := filepath.Join("testdata/wrong", name+".golden")
	if os.Getenv(updateVariable) == "1" {
		if err := os.WriteFile(file, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.TrimSpace(string(want)), strings.TrimSpace(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
