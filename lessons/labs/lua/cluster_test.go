package lua_test

import (
	"context"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

const slots = 16384

// node is one of three servers that share the slots.
type node struct {
	*redis.Client
	first, last int // slots
	addr        string
}

// cluster starts three nodes and waits until each of them says that the cluster is whole.
//
// A node has two addresses. The others reach it in Docker's network, at the address that it finds out by
// itself; clients reach it where Docker publishes it, and that is what it has to tell them in MOVED.
func cluster(t *testing.T) []node {
	t.Helper()
	servers := make([]*engine.Engine, 3)
	servers[0] = enginetest.Container(t, clusterSettings()...) // skips the test if there is no Docker
	var starting sync.WaitGroup
	for i := 1; i < len(servers); i++ {
		starting.Go(func() {
			e, err := engine.Open(t.Context(), engine.Choice{Kind: engine.Container, Settings: clusterSettings()})
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			})
			servers[i] = e
		})
	}
	starting.Wait()
	if t.Failed() {
		t.FailNow()
	}
	nodes := make([]node, len(servers))
	for i, server := range servers {
		nodes[i] = node{connect(t, server), i * slots / len(servers), (i+1)*slots/len(servers) - 1, server.Addr()}
		must(t, nodes[i].join(t.Context(), nodes[0]))
	}
	awaitWhole(t, nodes)
	return nodes
}

func clusterSettings() []string {
	return []string{"--cluster-enabled", "yes", "--cluster-preferred-endpoint-type", "hostname"}
}

func (n node) join(ctx context.Context, first node) error {
	host, port, err := net.SplitHostPort(n.addr)
	if err != nil {
		return err
	}
	inside, err := first.inside(ctx)
	if err != nil {
		return err
	}
	for _, command := range [][]any{
		{"CONFIG", "SET", "cluster-announce-hostname", host, "cluster-announce-port", port},
		{"CLUSTER", "ADDSLOTSRANGE", n.first, n.last},
		{"CLUSTER", "MEET", inside, "6379"},
	} {
		if err := n.Do(ctx, command...).Err(); err != nil {
			return fmt.Errorf("%v: %w", command, err)
		}
	}
	return nil
}

// inside is the address of the node in Docker's network: the one that a connection from outside ends at.
func (n node) inside(ctx context.Context) (string, error) {
	line, err := n.Do(ctx, "CLIENT", "INFO").Text()
	if err != nil {
		return "", fmt.Errorf("ask for the node's own address: %w", err)
	}
	found := regexp.MustCompile(` laddr=([0-9.]+):\d+ `).FindStringSubmatch(line)
	if found == nil {
		return "", fmt.Errorf("CLIENT INFO has no laddr: %s", line)
	}
	return found[1], nil
}

// awaitWhole asks until all nodes agree, and know where clients find the others.
func awaitWhole(t *testing.T, nodes []node) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	pause := time.NewTicker(20 * time.Millisecond)
	defer pause.Stop()
	for _, n := range nodes {
		for whole := false; !whole; <-pause.C {
			info, err := n.ClusterInfo(ctx).Result()
			must(t, err)
			shards, err := n.ClusterNodes(ctx).Result()
			must(t, err)
			whole = strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_slots_ok:16384")
			for _, other := range nodes {
				_, port, _ := net.SplitHostPort(other.addr)
				whole = whole && strings.Contains(shards, ":"+port+"@")
			}
			if ctx.Err() != nil {
				t.Fatalf("the cluster does not come together: %v\n%s\n%s", ctx.Err(), info, shards)
			}
		}
	}
}

// of is the node that has a key's slot.
func of(t *testing.T, nodes []node, key string) node {
	t.Helper()
	slot, err := nodes[0].ClusterKeySlot(t.Context(), key).Result()
	must(t, err)
	return nodes[slices.IndexFunc(nodes, func(n node) bool { return int(slot) <= n.last })]
}

func TestCluster(t *testing.T) {
	nodes := cluster(t)

	// Every key has a slot, and the two of a move are most likely in different ones. Declaring them is
	// what lets Redis see it; it does not make them fit.
	t.Run("keys in two slots are refused", func(t *testing.T) {
		keys := []string{"account:4711:balance", "account:4711:reservations"}
		for _, n := range nodes {
			_, err := run(t, n, "move", keys, 3)
			wantError(t, err, "CROSSSLOT Keys in request don't hash to the same slot")
		}
	})

	t.Run("a hash tag puts them into one", func(t *testing.T) {
		keys := []string{"account:{4711}:balance", "account:{4711}:reservations"}
		n := of(t, nodes, keys[0])
		must(t, n.Set(t.Context(), keys[0], 8, 0).Err())
		wantReply(t, any([]any{int64(1), int64(5), int64(3)}))(run(t, n, "move", keys, 3))
	})

	t.Run("another node says where they are", func(t *testing.T) {
		keys := []string{"account:{4711}:balance", "account:{4711}:reservations"}
		owner := of(t, nodes, keys[0])
		slot := owner.ClusterKeySlot(t.Context(), keys[0]).Val()
		for _, n := range nodes {
			_, err := run(t, n, "move", keys, 1)
			if n == owner {
				must(t, err)
				continue
			}
			wantError(t, err, fmt.Sprintf("MOVED %d %s", slot, owner.addr))
		}
	})

	t.Run("a client of clusters follows", func(t *testing.T) {
		client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{nodes[0].addr}, MaxRetries: -1})
		defer client.Close()
		for _, n := range nodes {
			key := keyOf(t, nodes, n)
			must(t, client.Set(t.Context(), key, 8, 0).Err())
			got, err := lua.Reserve(t.Context(), client, key, 5)
			must(t, err)
			if want := (lua.Reservation{Taken: true, Left: 3}); got != want {
				t.Errorf("%s: %+v, want %+v", key, got, want)
			}
		}
	})

	// A key that was not declared is found out when the script comes to it, and after its first write.
	t.Run("an undeclared key is found out late", func(t *testing.T) {
		n := nodes[0]
		declared, elsewhere := keyOf(t, nodes, n), keyOf(t, nodes, nodes[1])
		must(t, n.Del(t.Context(), declared).Err())
		source := "redis.call('SET', KEYS[1], 'written') return redis.call('SET', ARGV[1], 'never')"
		err := n.Eval(t.Context(), source, []string{declared}, elsewhere).Err()
		wantContains(t, "a key in ARGV", err, "Script attempted to access a non local key in a cluster node")
		if got := n.Get(t.Context(), declared).Val(); got != "written" {
			t.Errorf("%s holds %q, want what was written before the error", declared, got)
		}
	})
}

// keyOf is a key of which the node has the slot.
func keyOf(t *testing.T, nodes []node, n node) string {
	t.Helper()
	for i := range 1000 {
		if key := fmt.Sprintf("stock:%d", i); of(t, nodes, key) == n {
			return key
		}
	}
	t.Fatal("no key of a thousand belongs to the node")
	return ""
}
