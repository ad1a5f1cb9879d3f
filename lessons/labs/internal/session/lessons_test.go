package session

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

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
				t.Cleanup(func() { restore(t, server) })
				must(t, Play(t.Context(), server.Addr(), 0, steps))
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

// restore holds a session to leaving the server's settings and users as they were, and puts them back for the
// next one.
func restore(t *testing.T, server *engine.Engine) {
	client := server.Client(0)
	defer client.Close()
	ctx := context.WithoutCancel(t.Context())
	memory, err := client.ConfigGet(ctx, "maxmemory").Result()
	if err != nil || memory["maxmemory"] != "0" {
		t.Errorf("the session leaves maxmemory at %s (%v)", memory["maxmemory"], err)
	}
	if err := client.ConfigSet(ctx, "maxmemory", "0").Err(); err != nil {
		t.Error(err)
	}
	users, err := client.Do(ctx, "ACL", "USERS").StringSlice()
	if err != nil {
		t.Error(err)
	}
	for _, user := range users {
		if user == "default" {
			continue
		}
		t.Errorf("the session leaves a user, %s", user)
		if err := client.ACLDelUser(ctx, user).Err(); err != nil {
			t.Error(err)
		}
	}
}
