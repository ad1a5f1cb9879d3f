package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// timeout bounds one command.
const timeout = 10 * time.Second

// Play sends the commands one after the other to a database of the server at addr. It ends with an error
// at the first answer that is not the one that is shown: what comes after it would only differ in turn.
func Play(ctx context.Context, addr string, database int, steps []Step) (err error) {
	clients := map[string]redis.Conn{}
	defer func() {
		for _, c := range clients {
			err = errors.Join(err, c.Close())
		}
	}()
	for _, step := range steps {
		client := clients[step.Client]
		if client == nil {
			client, err = redis.DialContext(ctx, "tcp", addr, redis.DialDatabase(database), redis.DialConnectTimeout(timeout))
			if err != nil {
				return fmt.Errorf("play a session: %w", err)
			}
			clients[step.Client] = client
		}
		got, err := ask(ctx, client, step.Args)
		if err != nil {
			return fmt.Errorf("line %d of the session, %s: %w", step.Line, step.Typed, err)
		}
		if !shows(step.Want, got) {
			return fmt.Errorf("line %d of the session, %s, is answered with\n%s\nand the lesson shows\n%s",
				step.Line, step.Typed, got, step.Want)
		}
	}
	return nil
}

// shows says whether an answer is the one that is shown. A shown line that ends with a space and three dots
// leaves the rest of its line open.
func shows(shown, got string) bool {
	want, lines := strings.Split(shown, "\n"), strings.Split(got, "\n")
	return slices.EqualFunc(want, lines, func(want, line string) bool {
		begin, open := strings.CutSuffix(want, " ...")
		return line == want || open && strings.HasPrefix(line, begin+" ")
	})
}

// ask returns the answer as it is shown. An error of Redis is an answer.
func ask(ctx context.Context, client redis.Conn, args []string) (string, error) {
	rest := make([]any, len(args)-1)
	for i, arg := range args[1:] {
		rest[i] = arg
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	reply, err := redis.DoContext(client, ctx, args[0], rest...)
	if refusal := redis.Error(""); errors.As(err, &refusal) {
		return render(refusal), nil
	}
	if err != nil {
		return "", err
	}
	return render(reply), nil
}
