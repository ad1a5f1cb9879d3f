// Bench measures what the stages cost: side by side with a queue that many use, and with
// the same work without a queue, on one real Redis in a container.
//
// Exit status: 0 measured, 1 a result was wrong or, with -check, a target missed, 2 wrong
// usage, 3 it could not be measured.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"example.com/importer/harness/bench/figures"
	"example.com/importer/harness/bench/measure"
	"example.com/importer/harness/bench/show"
)

var (
	errUsage  = errors.New("wrong usage")
	errMissed = errors.New("a target was missed")
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(exitStatus(err))
	}
}

func exitStatus(err error) int {
	switch {
	case errors.Is(err, measure.ErrWrong), errors.Is(err, errMissed):
		return 1
	case errors.Is(err, errUsage):
		return 2
	default:
		return 3
	}
}

// options are what the command line says.
type options struct {
	root, json, svg, note string
	quick, check          bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.root, "root", ".", "the folder of the workbook")
	flags.BoolVar(&o.quick, "quick", false, "a look that takes less than a minute")
	flags.BoolVar(&o.check, "check", false, "exit with 1 if a target is missed")
	flags.StringVar(&o.json, "json", "", "write the figures to this file")
	flags.StringVar(&o.svg, "svg", "", "draw the figures into this file")
	flags.StringVar(&o.note, "note", "", "write the ratios between the marks of this lesson")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return o, err
	case err != nil:
		return o, fmt.Errorf("%w: %v", errUsage, err)
	case flags.NArg() > 0:
		return o, fmt.Errorf("%w: there is no argument %q", errUsage, flags.Arg(0))
	case o.quick && o.note != "":
		return o, fmt.Errorf("%w: -note and -quick: a quick look is no figure to be told to others", errUsage)
	}
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	lesson, err := o.lesson() // not to be able to write is better known before
	if err != nil {
		return err
	}
	found, err := take(ctx, o, func(line string) { fmt.Fprintln(stderr, "·", line) })
	if err != nil {
		return err
	}
	show.Table(stdout, found, mayColour(stdout))
	if err := o.write(found, lesson); err != nil {
		return err
	}
	if missed := found.Missed(); o.check && len(missed) > 0 {
		return fmt.Errorf("%w: %s", errMissed, missed[0].Title)
	}
	return nil
}

// lesson reads the lesson that is to be rewritten and makes sure that it can be.
func (o options) lesson() ([]byte, error) {
	if o.note == "" {
		return nil, nil
	}
	lesson, err := os.ReadFile(o.note)
	if err == nil {
		_, err = show.Note(lesson, figures.Results{})
	}
	if err != nil {
		return nil, fmt.Errorf("%w: -note %s: %w", errUsage, o.note, err)
	}
	return lesson, nil
}

// write writes the files that were asked for.
func (o options) write(found figures.Results, lesson []byte) error {
	if o.json != "" {
		content, err := json.MarshalIndent(found, "", "  ")
		if err == nil {
			err = os.WriteFile(o.json, append(content, '\n'), 0o644)
		}
		if err != nil {
			return fmt.Errorf("write the figures: %w", err)
		}
	}
	if o.svg != "" {
		file, err := os.Create(o.svg)
		if err != nil {
			return fmt.Errorf("draw the figures: %w", err)
		}
		if err := errors.Join(show.SVG(file, found), file.Close()); err != nil {
			return err
		}
	}
	if o.note != "" {
		content, err := show.Note(lesson, found)
		if err == nil {
			err = os.WriteFile(o.note, content, 0o644)
		}
		if err != nil {
			return fmt.Errorf("write the lesson: %w", err)
		}
	}
	return nil
}

func mayColour(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(file.Fd()))
}
