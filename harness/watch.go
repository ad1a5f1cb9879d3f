package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"sync"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/learn/watch"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/runner"
	"example.com/importer/harness/world/engine"
)

func watchCommand() *cobra.Command {
	var stage matrix.Stage
	var where engineFlags
	var own dirFlag
	options := runner.Options{Seed: rand.Uint64N(1_000_000)}
	command := &cobra.Command{
		Use:               "watch STAGE",
		Short:             "Run a stage again whenever you save, with a report on one screen",
		Long:              "Run a stage again whenever a file of it is saved. It is the one in work/NN if there is one, and\nthe reference otherwise. Ctrl-C ends it.",
		Args:              thisStage(&stage),
		ValidArgsFunction: completeStage,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			if err := knownNames(options.Only); err != nil {
				return err
			}
			wanted, err := where.choice()
			if err != nil {
				return err
			}
			options.Root, options.Stages = string(book), []matrix.Stage{stage}
			if options.Dir, err = own.of(stage); err != nil {
				return err
			}
			if options.Dir == "" && book.now(stage.ID).There {
				options.Dir = book.shown(start.Folder(string(book), stage.ID))
			}
			w := &watching{book: book, options: options, choice: wanted, out: c.OutOrStdout(), err: c.ErrOrStderr()}
			return w.watch(c.Context())
		},
	}
	flags := command.Flags()
	where.register(command)
	own.register(command, "the folder of the stage (default: work/NN if there is one, else the reference)")
	flags.StringSliceVar(&options.Only, "only", nil, "run only these scenarios and checks")
	_ = command.RegisterFlagCompletionFunc("only", completeCheck)
	return command
}

// watching is one call of watch. Its engine stays open from one round to the next.
type watching struct {
	book     workbook
	options  runner.Options
	choice   engine.Choice
	out, err io.Writer
	screen   bool // out is a terminal

	engine *engine.Engine
	own    *engine.Own
}

func (w *watching) watch(ctx context.Context) (err error) {
	dir := w.options.Dir
	if dir == "" {
		dir = w.book.shown(filepath.Join(string(w.book), "stages", w.options.Stages[0].Folder()))
	}
	watched, stop := context.WithCancel(ctx)
	changes, err := watch.Changes(watched, dir)
	if err != nil {
		stop()
		return err
	}
	defer func() {
		stop()
		for range changes { // until it is closed, and its owner has ended
		}
	}()
	w.screen = isTerminal(w.out)
	w.options.Progress = w.progress()
	w.choice.Progress = w.options.Progress
	w.options.Redis = func(context.Context) (*engine.Engine, error) { return w.engine, nil }
	if w.engine, err = openEngine(ctx, w.choice); err != nil {
		if ctx.Err() != nil {
			return errStopped
		}
		return err
	}
	defer func() {
		if closing := w.close(); closing != nil {
			err = closing
		}
	}()
	watch.Loop(ctx, changes, func(round context.Context) { w.round(round, dir) })
	if ctx.Err() == nil {
		return fmt.Errorf("watch %s: the system gave up watching it", dir)
	}
	return errStopped
}

func (w *watching) close() error {
	return errors.Join(w.closeOwn(), w.engine.Close())
}

func (w *watching) closeOwn() error {
	if w.own == nil {
		return nil
	}
	own := w.own
	w.own = nil
	return own.Close()
}

func (w *watching) round(ctx context.Context, dir string) {
	options := w.options
	if w.engine.Kind() == engine.Container {
		if w.own == nil {
			w.own = &engine.Own{Choice: engine.Choice{Kind: engine.Container}}
		}
		options.Own = w.own
	}
	found, err := runner.Run(ctx, options)
	if ctx.Err() != nil {
		// Whatever was being done to that server is half done.
		if err := w.closeOwn(); err != nil {
			fmt.Fprintln(w.err, "harness:", err)
		}
		return
	}
	if err == nil {
		err = w.keep(found)
	}
	w.clear()
	if err != nil {
		fmt.Fprintln(w.out, "could not run:", err)
	}
	if len(found.Stages) > 0 {
		watch.Screen(w.out, found, dir, painter(mayColour(w.out)))
	}
	fmt.Fprintf(w.out, "\n  Waiting for a change in %s; Ctrl-C ends.\n", dir)
}

func (w *watching) keep(found results.Results) error {
	if err := w.book.saveLast(found); err != nil {
		return err
	}
	if len(w.options.Only) > 0 {
		return nil
	}
	_, _, err := w.book.keepProgress(found.Stages[0], found.Engine)
	return err
}

// progress shows one changing line on a terminal, and nothing elsewhere.
func (w *watching) progress() func(string) {
	if !w.screen {
		return func(string) {}
	}
	var mu sync.Mutex
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(w.out, "\r\x1b[K· %s", line)
	}
}

func (w *watching) clear() {
	if w.screen {
		fmt.Fprint(w.out, "\x1b[2J\x1b[H")
		return
	}
	fmt.Fprintln(w.out)
}

func painter(colour bool) func(results.Verdict, string) string {
	colours := map[results.Verdict]text.Color{
		results.Holds: text.FgGreen, results.Gap: text.FgYellow, results.Broken: text.FgRed,
		results.NotRun: text.FgCyan, results.Error: text.FgMagenta,
	}
	return func(v results.Verdict, word string) string {
		if !colour {
			return word
		}
		return colours[v].EscapeSeq() + word + text.Reset.EscapeSeq()
	}
}
