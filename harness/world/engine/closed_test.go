package engine_test

import (
	"strings"
	"testing"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// A closed server connects to nowhere, neither by a command nor by a script, and does all else.
func TestClosedServer(t *testing.T) {
	e := enginetest.Open(t, engine.Choice{Kind: engine.Container, Closed: true})
	client := e.Client(0)
	defer client.Close()
	if err := client.Set(t.Context(), "key", "x", 0).Err(); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]any{
		{"MIGRATE", "172.17.0.1", "22", "key", "0", "100"},
		{"REPLICAOF", "172.17.0.1", "22"},
		{"SLAVEOF", "172.17.0.1", "22"},
		{"FAILOVER", "TO", "172.17.0.1", "22", "FORCE", "TIMEOUT", "100"},
		{"EVAL", "return redis.call('MIGRATE', '172.17.0.1', '22', 'key', '0', '100')", "0"},
		{"EVAL", "return redis.call('REPLICAOF', '172.17.0.1', '22')", "0"},
	} {
		err := client.Do(t.Context(), words...).Err()
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), "unknown") {
			t.Errorf("%v: %v, want an unknown command", words, err)
		}
	}
	if value, err := client.Get(t.Context(), "key").Result(); err != nil || value != "x" {
		t.Errorf("%q, %v", value, err)
	}
}
