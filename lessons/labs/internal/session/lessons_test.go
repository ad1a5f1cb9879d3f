package session

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/internal/lesson"
)

const lessons = "../../.."

// Every session in a lesson is played, each on an empty server. One that is marked <!-- redis: 8.4 --> is
// for that Redis and newer.
func TestSessionsOfLessons(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(lessons, "*.md"))
	must(t, err)
	played := 0
	for _, path := range paths {
		l, err := lesson.Read(path)
		must(t, err)
		for _, block := range l.Blocks {
			if block.From != "redis" {
				continue
			}
			played++
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(path), block.Line), func(t *testing.T) {
				steps, err := Parse(block.Text, filepath.Dir(path))
				must(t, err)
				server := enginetest.Alone(t)
				if block.Ref != "" {
					needs(t, server, block.Ref)
				}
				client := server.Client(0)
				defer client.Close()
				must(t, Play(t.Context(), server.Addr(), 0, steps))
				restored(t, client)
			})
		}
	}
	if played == 0 {
		t.Errorf("no session in %d lessons", len(paths))
	}
}

func needs(t *testing.T, server *engine.Engine, version string) {
	t.Helper()
	wanted, err := engine.ParseVersion(version)
	must(t, err)
	if !server.Version().AtLeast(wanted.Major, wanted.Minor) {
		t.Skipf("not_run (needs %s)", version)
	}
}

// restored holds a session to leaving the settings of the server as they were, for the next one.
func restored(t *testing.T, client *redis.Client) {
	t.Helper()
	memory, err := client.ConfigGet(t.Context(), "maxmemory").Result()
	must(t, err)
	if memory["maxmemory"] != "0" {
		t.Errorf("the session leaves maxmemory at %s", memory["maxmemory"])
	}
}
