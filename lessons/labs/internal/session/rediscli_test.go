package session

import (
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"
	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// What render shows is what the redis-cli in the server's own container shows for the same command.
func TestRenderAsRedisCLI(t *testing.T) {
	server := enginetest.Alone(t)
	container := containerOf(t, server)
	client, err := redis.DialContext(t.Context(), "tcp", server.Addr())
	must(t, err)
	defer client.Close()

	var all strings.Builder // every byte that Lua can write
	for i := range 256 {
		fmt.Fprintf(&all, `\%03d`, i)
	}
	many := "{" + strings.Repeat("'x',", 9) + "{1,{2,{}},'y'}," + strings.Repeat("{'a','b'},", 91) + "}"
	for _, source := range []string{
		"return 'text'", "return ''", "return '" + all.String() + "'", "return 7", "return -7", "return false", "return {}",
		"return {1,'a',{},{{}},false,{ok='FINE'}}", "return " + many, "return {{1,2},{3,{4,5,{6}}}}",
		"return redis.status_reply('FINE')", "return redis.error_reply('BAD it is')", "return {{err='BAD it is'}}",
		"return redis.call('PING')", "return redis.call('NO-SUCH')", "return nothing.x", "return cjson.encode({a={'b'}})",
	} {
		shown, err := exec.CommandContext(t.Context(), "docker", "exec", container, "redis-cli", "--no-raw", "EVAL", source, "0").Output()
		if err != nil {
			t.Fatalf("redis-cli in the container: %v", err)
		}
		got, err := ask(t.Context(), client, []string{"EVAL", source, "0"})
		must(t, err)
		if diff := cmp.Diff(strings.TrimRight(string(shown), "\n"), got); diff != "" {
			t.Errorf("%s (-redis-cli +render):\n%s", source, diff)
		}
	}
}

// containerOf finds the container by the port that it is published on.
func containerOf(t *testing.T, server *engine.Engine) string {
	t.Helper()
	if _, err := exec.LookPath("docker"); err != nil {
		t.Skipf("to run redis-cli in the container: %v", err)
	}
	_, port, err := net.SplitHostPort(server.Addr())
	must(t, err)
	id, err := exec.CommandContext(t.Context(), "docker", "ps", "-q", "--filter", "publish="+port).Output()
	if err != nil || len(strings.Fields(string(id))) != 1 {
		t.Fatalf("container with port %s: %q, %v; want one", port, id, err)
	}
	return strings.TrimSpace(string(id))
}
