package main

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// keyPrefix begins every key of the queue. A producer and a worker that differ
// in it both seem healthy, and no job is ever processed.
const keyPrefix = "importer-demo:importer-local:"

// commandTimeout bounds every single command, except where somebody waits for an
// HTTP answer.
const commandTimeout = 3 * time.Second

// connect makes a client that never repeats a command by itself and never waits
// longer than its context allows.
//
// TODO 05.3 (lessons/05-queue-enqueue.md#when-redis-is-away): give up in time and repeat
// nothing. So far the library's defaults hold: five seconds to dial, three to read, and
// a command without a reply is sent again, up to three times. What is to be set for a
// client that gives up within timeout: MaxRetries (0 means 3!), DialerRetries, ContextTimeoutEnabled,
// DialTimeout, ReadTimeout, WriteTimeout and PoolTimeout.
func connect(cfg config, timeout time.Duration, connections int) *redis.Client {
	opts := *cfg.redis
	opts.PoolSize = connections
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return redis.NewClient(&opts)
}

// Library messages would break the rule of one JSON object a line; every error
// they speak of is returned to us as well.
func init() { redis.SetLogger(silence{}) }

type silence struct{}

func (silence) Printf(context.Context, string, ...any) {}

// script is a Lua script of ours: how it is called stands at the top of its file.
type script struct {
	name string
	lua  *redis.Script
}

func newScript(name string) script {
	source, err := luaFiles.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err) // embedded at build time: it cannot be missing at run time
	}
	return script{name: name, lua: redis.NewScript(string(source))}
}

// run calls the script by its digest (EVALSHA) and sends the source (EVAL) only
// when Redis answers NOSCRIPT: its script cache is emptied by a restart, a
// failover or SCRIPT FLUSH, and that is a normal day. NOSCRIPT proves that
// nothing ran, which is why this repeat, unlike others, is safe to make here.
func (s script) run(ctx context.Context, rdb redis.Scripter, keys []string, args ...any) (any, error) {
	reply, err := s.lua.Run(ctx, rdb, keys, args...).Result()
	if err != nil && err != redis.Nil {
		return nil, fmt.Errorf("script %s: %w", s.name, err)
	}
	return reply, nil
}

// texts reads a script's answer that is a list of strings; nil if it is not one.
func texts(reply any) []string {
	list, _ := reply.([]any)
	answer := make([]string, len(list))
	for i, item := range list {
		text, ok := item.(string)
		if !ok {
			return nil
		}
		answer[i] = text
	}
	return answer
}
