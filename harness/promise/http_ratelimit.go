package promise

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"example.com/importer/harness/world"
)

// rateLimit: a client may ask so often in a window, and is told when to come back.
func rateLimit(ctx context.Context, lab *world.Lab, saw *Saw) error {
	if err := fourthIsRefused(ctx, lab, saw); err != nil {
		return err
	}
	return windowEnds(ctx, lab, saw)
}

// fourthIsRefused: the limit comes before everything else, whatever the body is,
// and reading is free.
func fourthIsRefused(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", world.Settings{"IMPORTER_RATE_LIMIT": "3", "IMPORTER_RATE_WINDOW": "60s"})
		if err != nil {
			return err
		}
		waiting(ctx, server, saw, "counts before the first POST", 0)
		for _, batch := range []string{"batch-1", "batch-2", "batch-3"} {
			post(ctx, server, batch).accepted(saw, "answer to POST of "+batch+" with a limit of 3 in 60s", batch)
		}
		limited(saw, "answer to the 4th POST with a limit of 3 in 60s", post(ctx, server, "batch-4"), 60)
		limited(saw, "answer to the 5th POST, its body no JSON", ask(ctx, server, http.MethodPost, importsPath, jsonType, "no JSON"), 60)
		limited(saw, "answer to the 6th POST, its body of another type", ask(ctx, server, http.MethodPost, importsPath, "text/plain", "no JSON"), 60)
		for range 4 {
			if !waiting(ctx, server, saw, "counts after the limit was reached, as reading is free", 3) {
				break
			}
		}
		get(ctx, server, importsPath+"/shipment-batch-4").refused(saw, "job of the 4th POST, which was valid but over the limit", http.StatusNotFound, "not_found")
		return nil
	})
}

var wholeNumber = regexp.MustCompile(`^[1-9][0-9]*$`)

// limited sees 429, and that Retry-After is a whole number of seconds that do
// not reach beyond the window.
func limited(saw *Saw, about string, seen answer, window int) {
	if !seen.refused(saw, about, http.StatusTooManyRequests, "rate_limited") {
		return
	}
	after := seen.Header.Get("Retry-After")
	seconds, err := strconv.Atoi(after)
	saw.True(wholeNumber.MatchString(after) && err == nil && seconds <= window, "Retry-After in the "+about,
		"a whole number of seconds from 1 to "+strconv.Itoa(window), strconv.Quote(after))
	saw.Note("%s: 429 with Retry-After: %.20q", about, after)
}

// letsInWithin is how long a window of 200ms may last on a slow machine.
const letsInWithin = 3 * time.Second

// windowEnds asks over and over: the window begins with the first request, and
// those that it refuses do not make it longer.
func windowEnds(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", world.Settings{"IMPORTER_RATE_LIMIT": "1", "IMPORTER_RATE_WINDOW": "200ms"})
		if err != nil {
			return err
		}
		refusals, letIn, started := 0, false, time.Now()
		err = w.Until(ctx, "an end of asking again", func(ctx context.Context) (bool, error) {
			seen := post(ctx, server, "batch-1")
			switch {
			case time.Since(started) > letsInWithin:
				return true, nil
			case seen.is(http.StatusTooManyRequests, problemType):
				if refusals++; refusals == 1 {
					limited(saw, "answer in a window of 200ms", seen, 1)
				}
				return false, nil
			}
			seen.accepted(saw, "answer when the limit is not reached", "batch-1")
			letIn = refusals > 0
			return letIn, nil
		})
		took := time.Since(started).Round(time.Millisecond)
		if saw.Soon(letIn, "client that keeps asking, with a limit of 1 in 200ms", "refused, and let in again after the window",
			fmt.Sprintf("%d refusals in %v, and never let in after one", refusals, took)) {
			saw.Note("with a limit of 1 in 200ms, %d refusals came before the client was let in again %v after its first request", refusals, took)
		}
		return err
	})
}
