package lua_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// busy is a server that runs a script without an end, and the error by which it ended. One that is not
// ended by the test is killed with the server.
func busy(t *testing.T, script string) (server *engine.Engine, rdb *redis.Client, ended <-chan error) {
	t.Helper()
	// A server of its own: the shared one could not be emptied for the next test if this one went wrong.
	server = enginetest.Container(t, "--busy-reply-threshold", "50")
	rdb = connect(t, server)
	victim := server.Client(0)
	options := *victim.Options()
	must(t, victim.Close())
	options.ReadTimeout = -1 // it waits for an answer that does not come
	victim = redis.NewClient(&options)
	end := make(chan error, 1)
	go func() {
		_, err := run(t, victim, script, []string{"k"}, "written")
		end <- errors.Join(err, victim.Close())
	}()
	awaitBusy(t, rdb)
	return server, rdb, end
}

// awaitBusy asks until Redis has lost its patience with the script.
func awaitBusy(t *testing.T, rdb *redis.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		err := rdb.Get(ctx, "k").Err()
		if redis.HasErrorPrefix(err, "BUSY") {
			return
		}
	}
	t.Fatal("nobody was told BUSY")
}

// A script that has only read can be killed; the others are told BUSY until then, whatever they ask.
func TestEndlessScriptIsKilled(t *testing.T) {
	_, rdb, ended := busy(t, "endless")
	for _, command := range [][]any{{"GET", "k"}, {"SET", "k", "x"}, {"PING"}, {"INFO"}} {
		if err := rdb.Do(t.Context(), command...).Err(); !redis.HasErrorPrefix(err, "BUSY") {
			t.Errorf("%v: got %v, want BUSY", command, err)
		}
	}
	must(t, rdb.ScriptKill(t.Context()).Err())
	wantError(t, <-ended, "ERR Script killed by user with SCRIPT KILL")
	must(t, rdb.Set(t.Context(), "k", "x", 0).Err())
}

// A script that has written cannot. What is left is to end the server without saving; what the script
// had written is gone with it, as it reaches the log of changes only when the script is done.
func TestEndlessScriptThatWroteCannotBeKilled(t *testing.T) {
	server, rdb, ended := busy(t, "endless-after-write")
	if err := rdb.ScriptKill(t.Context()).Err(); !redis.HasErrorPrefix(err, "UNKILLABLE") {
		t.Errorf("got %v, want UNKILLABLE", err)
	}
	if err := rdb.Get(t.Context(), "k").Err(); !redis.HasErrorPrefix(err, "BUSY") {
		t.Errorf("afterwards: got %v, want BUSY as before", err)
	}
	must(t, rdb.ShutdownNoSave(t.Context()).Err())
	if err := <-ended; !closed(err) {
		t.Errorf("the script's caller got %v, want a closed connection", err)
	}
	if err := rdb.Ping(t.Context()).Err(); !closed(err) {
		t.Errorf("the server still answers: %v", err)
	}

	must(t, server.Crash(t.Context())) // starts it again
	again := connect(t, server)
	wantKeys(t, again, map[string]string{})
}

// SHUTDOWN NOSAVE leaves what is on the disk. With a log of changes that is all but the script's writes.
// Without one it is the last snapshot, and here there is none.
func TestShutdownNoSaveLosesWhatIsNotOnTheDisk(t *testing.T) {
	for log, want := range map[string]map[string]string{
		"yes": {"earlier": "x"},
		"no":  {},
	} {
		t.Run("appendonly "+log, func(t *testing.T) {
			server := enginetest.Container(t, "--appendonly", log)
			rdb := connect(t, server)
			set(t, rdb, "earlier", "x")
			must(t, rdb.ShutdownNoSave(t.Context()).Err())
			must(t, server.Crash(t.Context())) // starts it again
			wantKeys(t, connect(t, server), want)
		})
	}
}

func closed(err error) bool {
	var network net.Error
	return errors.Is(err, io.EOF) || errors.As(err, &network)
}
