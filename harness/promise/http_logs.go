package promise

import (
	"context"
	"net/http"
	"strings"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
)

// serverLogs: the log of a server says what became of each request, one JSON
// object a line, and keeps the secret of its Redis address.
func serverLogs(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		post(ctx, server, "batch-a").accepted(saw, "answer to POST of batch-a", "batch-a")
		logged(ctx, server, saw, "the first POST of batch-a", "job_stored", shop.JobID("batch-a"))
		post(ctx, server, "batch-a").accepted(saw, "answer to the repeat of batch-a", "batch-a")
		logged(ctx, server, saw, "the repeat of batch-a", "job_known", shop.JobID("batch-a"))

		// Nobody listens on port 1.
		away, err := w.Serve(ctx, "server without Redis", world.Settings{
			"IMPORTER_REDIS_URL": "redis://user:" + password + "@127.0.0.1:1/0",
		})
		if err != nil {
			return err
		}
		seen := post(ctx, away, "batch-b")
		seen.refused(saw, "answer to POST of batch-b without Redis", http.StatusServiceUnavailable, "redis_unavailable")
		logged(ctx, away, saw, "a POST without Redis", "redis_unavailable", "")
		saw.True(!strings.Contains(string(seen.Body), password), "answer to POST of batch-b without Redis", "the password of the Redis address stays hidden", seen.String())

		lines := append(server.Logs(), away.Logs()...)
		for _, line := range lines {
			saw.True(line.Event != "", "log line", `one JSON object with a field "event"`, line.Text)
			saw.True(!strings.Contains(line.Text, password), "log line", "the password of the Redis address stays hidden", line.Text)
		}
		saw.Note("%d log lines, each one JSON object with an event, and none with the password", len(lines))
		return nil
	})
}

// logged waits for the line that tells of what was asked.
func logged(ctx context.Context, server *world.Server, saw *Saw, what, event, jobID string) {
	ctx, cancel := context.WithTimeout(ctx, inTime)
	defer cancel()
	expected := `a line with "event": "` + event + `"`
	if jobID != "" {
		expected += ` and "jobId": "` + jobID + `"`
	}
	_, err := server.AwaitLog(ctx, func(l program.Line) bool { return l.Event == event && l.JobID == jobID })
	saw.True(err == nil, "log after "+what, expected, "no such line; the last ones were:\n"+strings.Join(server.Tail(3), "\n"))
}
