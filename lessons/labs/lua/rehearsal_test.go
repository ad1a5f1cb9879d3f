package lua_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	respserver "github.com/alicebob/miniredis/v2/server"
	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/lessons/labs/lua"
)

// Rehearsal: the code for Redis 8.4 runs against a stand-in that says it is 8.4 and knows two commands
// in our own reading of their documentation. It shows that the code asks for the version, takes the
// native way, and reads its answers. It proves nothing about Redis 8.4; TestCompareNatively does, where
// there is one.
func TestRehearsalOfNativeCompare(t *testing.T) {
	var seen []string
	database := func(t testing.TB) *redis.Client { return standIn(t, "8.4.0", &seen).Client(0) }
	version := standIn(t, "8.4.0", nil).Version()
	if reason := lua.NeedsNative(version); reason != "" {
		t.Fatalf("version %v: %s", version, reason)
	}
	compares(t, database, func(rdb *redis.Client) lua.Comparer {
		t.Cleanup(func() { must(t, rdb.Close()) })
		return lua.Best(version, rdb)
	})
	for _, command := range []string{"DELEX lock:stock IFEQ token-a", "SET lock:stock token-b ifeq token-a"} {
		if !slices.Contains(seen, command) {
			t.Errorf("%q was not sent: the native way was not taken", command)
		}
	}
}

func TestOlderServersAreTold(t *testing.T) {
	for version, want := range map[string]string{
		"6.2.14": "not_run (needs 8.4)",
		"7.0.15": "not_run (needs 8.4)",
		"8.2.1":  "not_run (needs 8.4)",
		"8.3.9":  "not_run (needs 8.4)",
		"8.4.0":  "",
		"8.6.2":  "",
		"9.0.0":  "",
	} {
		e := standIn(t, version, nil)
		if got := lua.NeedsNative(e.Version()); got != want {
			t.Errorf("%v: %q, want %q", e.Version(), got, want)
		}
		rdb := e.Client(0)
		_, native := lua.Best(e.Version(), rdb).(lua.Native)
		if native != (want == "") {
			t.Errorf("%v: native %v, want it where it can be", e.Version(), native)
		}
		must(t, rdb.Close())
	}
	imitation := engine.Version{Server: "miniredis", Major: 9}
	if diff := cmp.Diff("not_run (needs 8.4)", lua.NeedsNative(imitation)); diff != "" {
		t.Errorf("for an imitation (-want +got):\n%s", diff)
	}
}

// standIn is an imitation that gives itself out for a Redis of this version. seen, if not nil, gets the
// commands that it stood in for.
func standIn(t testing.TB, version string, seen *[]string) *engine.Engine {
	t.Helper()
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	server.Server().SetPreHook(func(peer *respserver.Peer, command string, args ...string) bool {
		switch {
		case command == "INFO":
			peer.WriteBulk("# Server\r\nredis_version:" + version + "\r\n")
			return true
		case command == "DELEX" && len(args) == 3 && args[1] == "IFEQ":
			record(seen, command, args)
			if held(server, peer, args[0], args[2], func() { peer.WriteInt(0) }) {
				server.Del(args[0])
				peer.WriteInt(1)
			}
			return true
		case command == "SET" && len(args) == 4 && strings.EqualFold(args[2], "IFEQ"):
			record(seen, command, args)
			if held(server, peer, args[0], args[3], peer.WriteNull) {
				server.Del(args[0]) // with its lifetime
				_ = server.Set(args[0], args[1])
				peer.WriteOK()
			}
			return true
		}
		return false
	})
	e, err := engine.Open(t.Context(), engine.Choice{Kind: engine.URL, URL: "redis://" + server.Addr()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// held says whether the key holds the value, and otherwise answers.
func held(server *miniredis.Miniredis, peer *respserver.Peer, key, value string, no func()) bool {
	if !server.Exists(key) {
		no()
		return false
	}
	found, err := server.Get(key)
	switch {
	case err != nil:
		peer.WriteError("WRONGTYPE Operation against a key holding the wrong kind of value")
	case found != value:
		no()
	}
	return err == nil && found == value
}

func record(seen *[]string, command string, args []string) {
	if seen != nil {
		*seen = append(*seen, strings.Join(append([]string{command}, args...), " "))
	}
}
