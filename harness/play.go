package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"example.com/importer/harness/learn/play"
	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
)

func playCommand() *cobra.Command {
	var stage matrix.Stage
	var where engineFlags
	var own dirFlag
	command := &cobra.Command{
		Use:               "play STAGE",
		Short:             "Start Redis, the server and two workers, to try them by hand",
		Long:              "Start Redis, the server and two workers of a stage, and say what to type. It is the reference, or\nthe stage in the folder that --dir names. Ctrl-C ends everything.",
		Args:              thisStage(&stage),
		ValidArgsFunction: completeStage,
		RunE: func(c *cobra.Command, _ []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			wanted, err := where.choice()
			if err != nil {
				return err
			}
			sources, err := own.of(stage)
			if err != nil {
				return err
			}
			name := "importer-" + stage.ID + "-own"
			if sources == "" {
				sources, name = filepath.Join(string(book), "stages", stage.Folder()), "importer-"+stage.ID
			}
			p := playing{stage: stage, book: book, out: c.OutOrStdout(), choice: wanted}
			p.choice.Progress = progress(c.ErrOrStderr())
			return p.play(c.Context(), sources, filepath.Join(string(book), ".build", name))
		},
	}
	where.register(command)
	own.register(command, "play with the stage in this folder, such as "+start.Folder("", "08"))
	return command
}

type playing struct {
	stage  matrix.Stage
	book   workbook
	choice engine.Choice

	mu  sync.Mutex // one line at a time
	out io.Writer
}

func (p *playing) play(ctx context.Context, sources, built string) (err error) {
	defer func() {
		if ctx.Err() != nil && !errors.Is(err, errLeft) {
			err = errStopped // that is how it ends
		}
	}()
	if err := os.MkdirAll(filepath.Dir(built), 0o755); err != nil {
		return fmt.Errorf("make a folder for stage %s: %w", p.stage.ID, err)
	}
	p.choice.Progress("building stage " + p.stage.ID)
	err = program.Build(ctx, sources, built)
	var failed *program.BuildError
	if errors.As(err, &failed) {
		fmt.Fprintf(p.out, "The stage does not build:\n\n%s\n", failed.Output)
		return errBroken
	}
	if err != nil {
		return err
	}
	redis, err := openEngine(ctx, p.choice)
	if err != nil {
		return err
	}
	defer func() { err = left(err, redis.Close()) }()
	workers := 0
	if p.stage.Works {
		workers = 2
	}
	shop, err := play.Open(ctx, play.Config{
		Engine: redis, Program: built, Dir: sources, DataDir: filepath.Join(string(p.book), "data"), Workers: workers, Say: p.say,
	})
	var exited *program.ExitError
	var wrongLine *program.WrongLineError
	if errors.As(err, &exited) || errors.As(err, &wrongLine) || errors.Is(err, program.ErrNoLine) || errors.Is(err, play.ErrSeed) {
		fmt.Fprintf(p.out, "The stage does not start: %v\n", err)
		return errBroken
	}
	if err != nil {
		return err
	}
	defer func() { err = left(err, shop.Close()) }()
	p.tell(shop, redis)
	return shop.Wait(ctx, p.say)
}

// errLeft says that something could not be ended.
var errLeft = errors.New("something may be left")

func left(err, closing error) error {
	if closing == nil {
		return err
	}
	return errors.Join(err, fmt.Errorf("%w: %w", errLeft, closing))
}

func (p *playing) say(name, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "%-8s | %s\n", name, line)
}

func (p *playing) tell(shop *play.Shop, redis *engine.Engine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := func(format string, args ...any) { fmt.Fprintf(p.out, format+"\n", args...) }
	line("\nStage %s %s on %s\n", p.stage.ID, p.stage.Name, redis.Label())
	for _, process := range shop.Processes() {
		line("  %-8s process %d", process.Name, process.PID)
	}
	line("  Redis    %s\n\nIn another terminal:\n", shop.Redis)
	for _, l := range play.Lines(shop.URL, p.stage.Works) {
		line("  # %s (%d)\n  %s\n", l.What, l.Status, l.Command)
	}
	if p.stage.Works {
		line("The record of a finished job is kept for %v: ask for the same batch before that, and after it.\n`kill -9` a worker, or `kill -STOP` and `kill -CONT` it, and see who goes on with the job.", play.Retention)
	}
	line("Below is what the programs log. Ctrl-C ends all of them.\n")
}
