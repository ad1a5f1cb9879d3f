package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// goRedis is a client that repeats nothing and asks for nothing unasked.
func goRedis(t *testing.T, p *Proxy, protocol int) *redis.Client {
	t.Helper()
	client := redis.NewClient(&redis.Options{
		Addr: p.Addr(), Protocol: protocol, MaxRetries: -1, DisableIdentity: true,
		ReadTimeout: patience, PoolSize: 4, DialerRetries: 1,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// A client library must not notice the proxy, and must notice each fault.
func TestGoRedis(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		t.Run(fmt.Sprintf("RESP%d", protocol), func(t *testing.T) {
			ctx := within(t)
			p, server := start(t)
			client := goRedis(t, p, protocol)

			results, err := client.Pipelined(ctx, func(pipe redis.Pipeliner) error {
				for range 100 {
					pipe.Incr(ctx, "piped")
				}
				return nil
			})
			if err != nil || results[99].(*redis.IntCmd).Val() != 100 {
				t.Fatalf("pipeline: %v", err)
			}
			client.HSet(ctx, "stock", "lamp", 8, "notebook", 3)
			if got := client.HGetAll(ctx, "stock").Val(); got["lamp"] != "8" || len(got) != 2 {
				t.Errorf("map: %v", got)
			}
			if _, err := client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
				pipe.HIncrBy(ctx, "stock", "lamp", 12)
				pipe.Incr(ctx, "generation")
				return nil
			}); err != nil {
				t.Fatalf("transaction: %v", err)
			}
			all := p.Exchanges()
			if exec := all[len(all)-1]; exec.Name() != "EXEC" || len(exec.Queued) != 2 || !exec.Touches("generation") {
				t.Errorf("last exchange: %#v", exec)
			}
			if got := client.Eval(ctx, "return redis.call('GET', KEYS[1])", []string{"generation"}).Val(); got != "1" {
				t.Errorf("script: %v", got)
			}

			trap := p.Trap(AfterServer, named("INCR"))
			answer := make(chan error, 1)
			go func() { answer <- client.Incr(ctx, "lost").Err() }()
			next(t, trap).Cut()
			if err := <-answer; err == nil {
				t.Error("no error for a lost reply")
			}
			trap.Disarm()
			server.CheckGet(t, "lost", "1")

			trap = p.Trap(BeforeServer, named("INCR"))
			go func() { answer <- client.Incr(ctx, "never").Err() }()
			next(t, trap).Cut()
			if err := <-answer; err == nil {
				t.Error("no error for a lost command")
			}
			trap.Disarm()
			if server.Exists("never") {
				t.Error("a command that was cut off was executed")
			}

			go func() { answer <- client.BLPop(ctx, 0, "jobs").Err() }()
			await(t, p, func(all []Exchange) bool { x := all[len(all)-1]; return x.Name() == "BLPOP" && x.Forwarded })
			if err := errors.Join(client.RPush(ctx, "jobs", "job-1").Err(), <-answer); err != nil {
				t.Errorf("blocking: %v", err)
			}
		})
	}
}

func TestGoRedisSubscribes(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		ctx := within(t)
		p, _ := start(t)
		client := goRedis(t, p, protocol)
		news := client.Subscribe(ctx, "news")
		t.Cleanup(func() { _ = news.Close() })
		if _, err := news.Receive(ctx); err != nil {
			t.Fatal(err)
		}
		client.Publish(ctx, "news", "hello")
		if got, err := news.ReceiveMessage(ctx); err != nil || got.Payload != "hello" {
			t.Errorf("RESP%d: %v, %v", protocol, got, err)
		}
	}
}

func TestGoRedisInOutages(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		t.Run(fmt.Sprintf("RESP%d", protocol), func(t *testing.T) {
			ctx := within(t)
			p, _ := start(t)
			client := goRedis(t, p, protocol)
			for _, tt := range []struct {
				enter func() error
				want  string
			}{
				{p.Pass, ""},
				{func() error { return p.AnswerAll("LOADING Redis is loading the dataset in memory") }, "LOADING"},
				{p.Pass, ""},
				{p.Refuse, "refused"},
				{p.Pass, ""},
			} {
				if err := tt.enter(); err != nil {
					t.Fatal(err)
				}
				err := goRedis(t, p, protocol).Ping(ctx).Err() // a new connection
				if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
					t.Errorf("new client: %v, want %q", err, tt.want)
				}
				if tt.want == "LOADING" { // the pool still has its connection
					if err := client.Ping(ctx).Err(); err == nil || !strings.Contains(err.Error(), tt.want) {
						t.Errorf("pooled client: %v, want %q", err, tt.want)
					}
				}
			}
		})
	}
}
