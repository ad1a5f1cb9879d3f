// Importer adds shipments to the stock of a small shop in Redis: a producer
// (serve) stores jobs, a worker (work) does them, and two helpers (seed, enqueue)
// are there for trying things out. All are configured by the environment only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage: importer <command>

  serve                             accept imports over HTTP and store them as jobs
  work                              take jobs and apply them to the stock
  seed                              write the opening catalogue if there is no stock yet
  enqueue --job-id ID --data JSON   store a job exactly as given, unchecked

Settings are environment variables that begin with IMPORTER_; see stages/CONTRACT.md.
`

// errUsage marks mistakes of the person who started the program: exit 2.
var errUsage = errors.New("usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil:
	case errors.Is(err, errUsage), errors.Is(err, errConfig):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "importer:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("%w: name a command\n%s", errUsage, usage)
	}
	command, rest := args[0], args[1:]
	if command == "help" || command == "-h" || command == "--help" {
		_, err := io.WriteString(stdout, usage)
		return err
	}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var jobID, data string
	if command == "enqueue" {
		flags.StringVar(&jobID, "job-id", "", "")
		flags.StringVar(&data, "data", "", "")
	}
	if err := flags.Parse(rest); err != nil {
		return fmt.Errorf("%w: importer %s: %v\n%s", errUsage, command, err, usage)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%w: importer %s takes no argument %q\n%s", errUsage, command, flags.Arg(0), usage)
	}
	var do func(config) error
	log := newLogger(stderr)
	switch command {
	case "serve":
		do = func(cfg config) error { return serve(ctx, cfg, log, stdout) }
	case "work":
		do = func(cfg config) error { return work(ctx, cfg, log) }
	case "seed":
		do = func(cfg config) error { return seed(ctx, cfg, stdout) }
	case "enqueue":
		if jobID == "" || data == "" {
			return fmt.Errorf("%w: importer enqueue needs --job-id and --data\n%s", errUsage, usage)
		}
		do = func(cfg config) error { return enqueueUnchecked(ctx, cfg, log, stdout, jobID, data) }
	default:
		return fmt.Errorf("%w: there is no command %q\n%s", errUsage, command, usage)
	}
	cfg, err := loadConfig(os.LookupEnv)
	if err != nil {
		return err
	}
	return do(cfg)
}

// newLogger writes one JSON object a line. The message of a record is its
// event, a stable name that a program can look for.
func newLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.MessageKey {
				a.Key = "event"
			}
			return a
		},
	}))
}
