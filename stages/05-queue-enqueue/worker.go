package main

import (
	"context"
	"fmt"
	"log/slog"
)

// work is what this stage does not have yet. Jobs are stored and wait, and
// nothing is imported: that is the whole point of storing them.
func work(context.Context, config, *slog.Logger) error {
	return fmt.Errorf("%w: this stage stores jobs and has no worker; the jobs wait", errUsage)
}
