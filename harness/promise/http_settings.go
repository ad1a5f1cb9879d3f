package promise

import (
	"context"
	"strings"
	"time"

	"example.com/importer/harness/world"
)

// refusesWithin is how long a program may take to refuse its settings.
const refusesWithin = 5 * time.Second

// password stands in the addresses that must be refused, and nowhere in what is
// said about them.
const password = "open-sesame"

// badSetting is a value that the command must refuse.
type badSetting struct {
	command, name, value string
	hidden               bool // it may be shown in part only, because of the password in it
}

// The settings that every stage has, each tried on a command that needs it. One
// value or two for each: every one costs the start of a program.
var producerSettings = []badSetting{
	{command: "serve", name: "IMPORTER_REDIS_URL", value: "redis://user:" + password + "@127.0.0.1:6379/ten", hidden: true},
	{command: "serve", name: "IMPORTER_HTTP_ADDR", value: "127.0.0.1:99999"},
	{command: "serve", name: "IMPORTER_RATE_LIMIT", value: "0"},
	{command: "serve", name: "IMPORTER_RATE_LIMIT", value: ""},
	{command: "serve", name: "IMPORTER_RATE_WINDOW", value: "60"},
	{command: "seed", name: "IMPORTER_DATA_DIR", value: "/nowhere/at/all"},
}

// The settings of a worker.
var workerSettings = []badSetting{
	{command: "work", name: "IMPORTER_DATA_DIR", value: "/nowhere/at/all"},
	{command: "work", name: "IMPORTER_LOCK_DURATION", value: "0s"},
	{command: "work", name: "IMPORTER_POLL_INTERVAL", value: "often"},
	{command: "work", name: "IMPORTER_RETENTION", value: "-1h"},
	{command: "work", name: "IMPORTER_CONCURRENCY", value: "0"},
}

// The settings of a worker that tries again.
var retrySettings = []badSetting{
	{command: "work", name: "IMPORTER_ATTEMPTS", value: "0"},
	{command: "work", name: "IMPORTER_BACKOFF", value: "short"},
	{command: "work", name: "IMPORTER_DEADLINE", value: "-2m"},
}

// refusesSettings is the check that each of these values is refused.
func refusesSettings(list []badSetting) Func {
	return func(ctx context.Context, lab *world.Lab, saw *Saw) error {
		return lab.In(ctx, func(w *world.World) error {
			var slowest time.Duration
			for _, bad := range list {
				tried, err := w.Try(ctx, bad.command, world.Settings{bad.name: bad.value}, refusesWithin)
				if err != nil {
					return err
				}
				bad.refused(saw, tried)
				slowest = max(slowest, tried.Exit.Duration)
				if tried.Exit.KilledByHarness && !tried.Listened {
					break // the others may take as long
				}
			}
			few(saw)
			saw.Note("%d values were tried; the slowest refusal took %v", len(list), slowest.Round(time.Millisecond))
			return nil
		})
	}
}

// refused sees status 2 and one line that tells what is wrong and keeps the secret.
func (b badSetting) refused(saw *Saw, tried world.Tried) {
	about := b.command + " with " + b.name + "=" + b.value
	ended := tried.Exit.String()
	switch {
	case tried.Listened:
		ended = "took it and served"
	case tried.Exit.KilledByHarness:
		ended = "went on and " + ended
	}
	if tried.Exit.KilledByHarness && !tried.Listened {
		saw.Soon(false, about, "exits with status 2", ended)
		return
	}
	if !saw.True(tried.Exit.Code == 2, about, "exits with status 2", ended) {
		return
	}
	said := strings.Join(tried.Stderr, "\n")
	expected, ok := "one line that names "+b.name, len(tried.Stderr) == 1 && strings.Contains(said, b.name)
	if !b.hidden && b.value != "" {
		expected, ok = expected+" and its value", ok && strings.Contains(strings.ReplaceAll(said, b.name, ""), b.value)
	}
	saw.True(ok, "stderr of "+about, expected, said)
	told := said + strings.Join(tried.Stdout, "\n")
	saw.True(!strings.Contains(told, password), "output of "+about, "the password stays hidden", told)
}
