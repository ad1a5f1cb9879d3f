package lua_test

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

// as is a client of the test's own server whose user may do what the rules say, and the client of a user
// who may do all.
func as(t *testing.T, rules ...string) (user, all *redis.Client) {
	t.Helper()
	const name, password = "packer", "secret"
	server := enginetest.Alone(t)
	all = connect(t, server)
	must(t, all.ACLSetUser(t.Context(), name, append([]string{"reset", "on", ">" + password}, rules...)...).Err())
	t.Cleanup(func() {
		if n, err := all.ACLDelUser(context.WithoutCancel(t.Context()), name).Result(); err != nil || n != 1 {
			t.Errorf("delete the user: %d, %v", n, err)
		}
	})
	options := *all.Options()
	options.Username, options.Password = name, password
	user = redis.NewClient(&options)
	t.Cleanup(func() { must(t, user.Close()) })
	return user, all
}

// refused is how a script is told of a missing right. The words behind it are others from Redis 7.2 on.
const refused = "ERR "

// Redis looks at a user's rights command by command. A script that looks at every value can still be
// stopped between two writes, and the first one stays.
func TestMissingRightIsFoundOutLate(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		rules  []string
		begins string
		after  map[string]string
	}{
		"all rights": {
			"move", []string{"~*", "+@all"}, "", map[string]string{shelf: "5", store: "5"},
		},
		"no second command": {
			"move", []string{"~*", "+@all", "-incrby"}, refused,
			map[string]string{shelf: "5", store: "2"},
		},
		"no second key": { // declared, so Redis looks before it starts the script
			"move", []string{"~" + shelf, "+@all"}, "NOPERM", map[string]string{shelf: "8", store: "2"},
		},
		"asked first, all rights": {
			"move-asking-rights", []string{"~*", "+@all"}, "", map[string]string{shelf: "5", store: "5"},
		},
		"asked first, no second command": {
			"move-asking-rights", []string{"~*", "+@all", "-incrby"}, "NOPERM this user may not INCRBY " + store,
			map[string]string{shelf: "8", store: "2"},
		},
		"asked first, no first command": {
			"move-asking-rights", []string{"~*", "+@all", "-decrby"}, "NOPERM this user may not DECRBY " + shelf,
			map[string]string{shelf: "8", store: "2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			user, all := as(t, c.rules...)
			set(t, all, shelf, "8", store, "2")
			err := user.Eval(t.Context(), lua.Source(c.script), []string{shelf, store}, 3).Err()
			if c.begins == "" {
				must(t, err)
			} else {
				wantError(t, err, c.begins)
			}
			wantKeys(t, all, c.after)
		})
	}
}

// A key that was not declared is looked at when the script comes to it, after the first write.
func TestMissingRightToAKeyThatWasNotDeclared(t *testing.T) {
	user, all := as(t, "~"+shelf, "+@all")
	set(t, all, shelf, "8", store, "2")
	source := "redis.call('DECRBY', KEYS[1], ARGV[1]) return redis.call('INCRBY', 'store:lamp', ARGV[1])"
	wantError(t, user.Eval(t.Context(), source, []string{shelf}, 3).Err(), refused)
	wantKeys(t, all, map[string]string{shelf: "5", store: "2"})
}
