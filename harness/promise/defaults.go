package promise

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// defaults starts a server without the settings of its rate limit: 60 requests in a
// minute is what it must do then.
func defaults(ctx context.Context, lab *world.Lab, saw *Saw) error {
	const limit = 60
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", world.Settings{"IMPORTER_RATE_LIMIT": world.Unset, "IMPORTER_RATE_WINDOW": world.Unset})
		if err != nil {
			return err
		}
		begun := time.Now()
		answers := make([]answer, 0, limit)
		for len(answers) < limit {
			next := make([]answer, 10)
			atOnce(len(next), func(i int) { next[i] = post(ctx, server, fmt.Sprintf("batch-%d", len(answers)+i)) })
			answers = append(answers, next...)
		}
		unknown := false // whether a request that got no answer was counted, nobody can tell
		for i, seen := range answers {
			unknown = unknown || seen.lost != nil || seen.Status == http.StatusServiceUnavailable
			seen.accepted(saw, fmt.Sprintf("answer to request %d of a client, without a setting of its limit", i+1), fmt.Sprintf("batch-%d", i))
		}
		if unknown {
			few(saw)
			return nil
		}
		over := post(ctx, server, "batch-over")
		limited(saw, fmt.Sprintf("answer to request %d, without a setting of the limit", limit+1), over, 60)
		// What is left of a minute that began with the first request.
		after, _ := strconv.Atoi(over.Header.Get("Retry-After"))
		least := 60 - int(time.Since(begun).Seconds()) - 1
		saw.True(over.Status != http.StatusTooManyRequests || after >= least, "Retry-After without a setting of the window",
			fmt.Sprintf("%d to 60 seconds", least), fmt.Sprint(after))
		few(saw)
		return nil
	})
}

// perClient: the limit is that of a client's address, whatever the client says about
// itself; and what is counted is counted under the names of the queue.
func perClient(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", world.Settings{"IMPORTER_RATE_LIMIT": "1", "IMPORTER_RATE_WINDOW": "60s"})
		if err != nil {
			return err
		}
		if !post(ctx, server, "batch-1").accepted(saw, "answer to the first POST with a limit of 1", "batch-1") {
			return nil
		}
		forwarded := func(header string) answer {
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.Base+importsPath, strings.NewReader(importBody("batch-2")))
			if err != nil {
				return answer{lost: err}
			}
			request.Header.Set("Content-Type", jsonType)
			request.Header.Set(header, "203.0.113.7")
			return exchange(server.HTTP, request)
		}
		for _, header := range []string{"X-Forwarded-For", "X-Real-IP"} {
			limited(saw, "answer to the same client when it sends "+header, forwarded(header), 60)
		}
		if other, ok := otherClient(server); ok {
			reply, err := other.Do(ctx, http.MethodPost, importsPath, jsonType, []byte(importBody("batch-3")))
			answer{reply, err}.accepted(saw, "answer to the first POST of another client, with a limit of 1 that a first client has reached", "batch-3")
		}
		keys, err := w.Redis.Keys(ctx, "*").Result()
		if err != nil {
			return fmt.Errorf("list the keys: %w", err)
		}
		slices.Sort(keys)
		for _, key := range keys {
			saw.True(strings.HasPrefix(key, shop.QueuePrefix) || strings.HasPrefix(key, shop.StockPrefix), "key in Redis",
				"one that begins with "+shop.QueuePrefix, key)
		}
		return nil
	})
}

// otherClient asks from another loopback address, where the machine has one and the
// server listens on loopback.
func otherClient(server *world.Server) (shop.Client, bool) {
	if !strings.HasPrefix(server.Base, "http://127.0.0.1:") {
		return shop.Client{}, false
	}
	other := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}
	probe, err := net.ListenTCP("tcp", other)
	if err != nil {
		return shop.Client{}, false
	}
	probe.Close()
	dialer := &net.Dialer{LocalAddr: other}
	return shop.Client{Base: server.Base, HTTP: &http.Client{
		Timeout: server.HTTP.Timeout, Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true},
	}}, true
}
