package lua

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var window = script("window")

// Status is what the window's script decided.
type Status int64

const (
	// Refused says that the limit is reached: a decision of the rule, and nothing went wrong.
	Refused Status = 0
	// Allowed says that the hit was counted.
	Allowed Status = 1
	// Unusable says that there was nothing to decide with: see Answer.Code.
	Unusable Status = 2
)

// Answer is the script's answer to one hit.
type Answer struct {
	Status Status
	Hits   int64  // in this window, if Status is Allowed or Refused
	Code   string // invalid-arguments, invalid-counter or missing-ttl, if Status is Unusable
}

// Window allows a number of hits in a time that begins with the first of them.
type Window struct {
	Limit  int64         // 1 to 1,000,000
	Length time.Duration // whole seconds, 1 s to 24 h
}

// Hit counts one hit of whoever has this key, if the limit allows it.
//
// An Answer is an answer, also if it is a refusal. An error is a technical one: nobody decided
// anything, or nobody knows what was decided. Do not treat the two alike: repeating a refusal at once
// gets the same refusal, and an error says nothing about the limit.
func (w Window) Hit(ctx context.Context, rdb redis.Scripter, key string) (Answer, error) {
	if w.Length%time.Second != 0 {
		return Answer{}, fmt.Errorf("window %v: whole seconds are allowed", w.Length)
	}
	reply, err := window.Run(ctx, rdb, []string{key}, w.Limit, int64(w.Length/time.Second)).Slice()
	if err != nil {
		return Answer{}, fmt.Errorf("count a hit of %s: %w", key, err)
	}
	return readAnswer(reply)
}

func readAnswer(reply []any) (Answer, error) {
	if len(reply) == 2 {
		status, _ := reply[0].(int64)
		switch detail := reply[1].(type) {
		case int64:
			if s := Status(status); s == Allowed || s == Refused {
				return Answer{Status: s, Hits: detail}, nil
			}
		case string:
			if Status(status) == Unusable {
				return Answer{Status: Unusable, Code: detail}, nil
			}
		}
	}
	return Answer{}, fmt.Errorf("the window's script answered %v, want {1, hits}, {0, hits} or {2, code}", reply)
}
