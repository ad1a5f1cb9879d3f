package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"example.com/importer/harness/world/engine"
)

// engineFlags are the flags that say where Redis comes from.
type engineFlags struct {
	kind, url string
	mayFlush  bool
}

func (f *engineFlags) register(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.kind, "engine", "auto", "where Redis comes from: auto, container, miniredis or url")
	flags.StringVar(&f.url, "redis-url", "", "the server for --engine url, such as redis://127.0.0.1:6379")
	flags.BoolVar(&f.mayFlush, "i-may-flush", false, "allow a run to delete all keys of that server")
	_ = command.RegisterFlagCompletionFunc("engine", completeEngine)
}

// choice checks the flags.
func (f *engineFlags) choice() (engine.Choice, error) {
	parsed, err := engine.ParseKind(f.kind)
	if err != nil {
		return engine.Choice{}, fmt.Errorf("%w: --engine: %v", errUsage, err)
	}
	if (parsed == engine.URL) != (f.url != "") {
		return engine.Choice{}, fmt.Errorf("%w: --engine url and --redis-url go together", errUsage)
	}
	if f.mayFlush && parsed != engine.URL {
		return engine.Choice{}, fmt.Errorf("%w: --i-may-flush is for --engine url only", errUsage)
	}
	return engine.Choice{Kind: parsed, URL: f.url, MayFlush: f.mayFlush}, nil
}

// openEngine opens the chosen Redis. What is wrong with the user's own server is wrong
// usage.
func openEngine(ctx context.Context, wanted engine.Choice) (*engine.Engine, error) {
	redis, err := engine.Open(ctx, wanted)
	if err != nil && wanted.Kind == engine.URL && !errors.Is(err, engine.ErrUnavailable) && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: --redis-url: %w", errUsage, err)
	}
	return redis, err
}
