package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/alicebob/miniredis/v2"
)

const miniredisModule = "github.com/alicebob/miniredis/v2"

// openMiniredis starts the imitation. why is the reason when it was not what the user asked for.
func openMiniredis(ctx context.Context, choice Choice, why string) (*Engine, error) {
	server := miniredis.NewMiniRedis()
	if err := server.StartAddr("127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("start miniredis: %w", err)
	}
	// Out of the box its keys never expire by themselves. Locks and records that run out are half
	// of what is rehearsed here.
	server.ClockTTL(true)

	version := miniredisVersion()
	e := &Engine{
		kind:      Miniredis,
		addr:      server.Addr(),
		version:   version,
		label:     version.String(),
		rehearsal: "rehearsed on miniredis only",
	}
	if why != "" {
		e.rehearsal += ": " + why
	}
	stop := func(context.Context) error {
		server.Close()
		return nil
	}
	if _, err := e.finish(ctx, choice, stop); err != nil {
		return nil, fmt.Errorf("miniredis: %w", err)
	}
	return e, nil
}

// miniredisVersion is the module's version, as the server itself has none to tell.
func miniredisVersion() Version {
	version := Version{Server: serverMiniredis}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, module := range build.Deps {
		if module.Path != miniredisModule {
			continue
		}
		if parsed, err := ParseVersion(strings.TrimPrefix(module.Version, "v")); err == nil {
			parsed.Server = serverMiniredis
			return parsed
		}
	}
	return version
}
