package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"example.com/importer/harness/faultmap"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

func mapCommand() *cobra.Command {
	var from source
	var pairs, resume bool
	var cells []string
	var jsonFile, svgFile, htmlFile string
	command := &cobra.Command{
		Use:   "map STAGE",
		Short: "Put a fault at every command of one job, and draw what is left",
		Args:  oneStage,
		RunE: func(c *cobra.Command, args []string) error {
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			stage, _ := matrix.FindStage(args[0])
			if cells, err = cellsOf(stage, cells, pairs); err != nil {
				return err
			}
			pictures := []*output{
				{flag: "--json", path: jsonFile, write: func(w io.Writer, m results.Map) error { return report.JSON(w, m) }},
				{flag: "--svg", path: svgFile, write: report.FaultMapSVG},
				{flag: "--html", path: htmlFile, write: report.FaultMapHTML},
			}
			for _, p := range pictures {
				if err := p.open(); err != nil {
					return err
				}
				defer p.close()
			}
			m, err := drawMap(c, book, from, stage, mapOptions{pairs: pairs, resume: resume, cells: cells})
			if err != nil {
				return err
			}
			report.FaultMap(c.OutOrStdout(), m, mayColour(c.OutOrStdout()))
			for _, p := range pictures {
				if err := p.put(m); err != nil {
					return err
				}
			}
			return mapVerdict(m)
		},
		ValidArgs: matrix.IDs(),
	}
	from.register(command)
	flags := command.Flags()
	flags.BoolVar(&pairs, "pairs", false, "two faults as well, the second one in the recovery from the first")
	flags.BoolVar(&resume, "resume", false, "go on where the last map of this stage was interrupted")
	flags.StringSliceVar(&cells, "cells", nil, "only these cells and those below them, such as 08/k3 or 08/k3/freeze")
	flags.StringVar(&jsonFile, "json", "", "write the map to this file as JSON")
	flags.StringVar(&svgFile, "svg", "", "draw the map into this file as a picture")
	flags.StringVar(&htmlFile, "html", "", "draw the map into this file as a page that tells the story of each cell")
	return command
}

func oneStage(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%w: one stage is wanted, not %d: %s", errUsage, len(args), strings.Join(args, " "))
	}
	_, err := stagesOf(args)
	return err
}

// cellsOf checks what --cells names.
func cellsOf(stage matrix.Stage, cells []string, pairs bool) ([]string, error) {
	for _, cell := range cells {
		if !strings.HasPrefix(cell, stage.ID+"/") {
			return nil, fmt.Errorf("%w: --cells %q: allowed are cells of stage %s, such as %s/k1", errUsage, cell, stage.ID, stage.ID)
		}
		if strings.Count(cell, "/") == 1 && !strings.Contains(cell, "+") {
			cell += "/" + string(faultmap.CutBefore) // a whole command
		}
		_, schedule, err := faultmap.ParseCell(cell)
		if err != nil {
			return nil, fmt.Errorf("%w: --cells: %v", errUsage, err)
		}
		if len(schedule) > 1 && !pairs {
			return nil, fmt.Errorf("%w: --cells %q has two faults: add --pairs", errUsage, cell)
		}
	}
	return cells, nil
}

type mapOptions struct {
	pairs, resume bool
	cells         []string
	quiet         bool // no count of cells
}

// drawMap builds the stage, opens Redis and runs the cells.
func drawMap(c *cobra.Command, book workbook, from source, stage matrix.Stage, o mapOptions) (m results.Map, err error) {
	err = withBench(c, book, from, stage, func(ctx context.Context, b bench) error {
		options := faultmap.Options{Stage: stage, Config: b.config, Pairs: o.pairs, Cells: o.cells}
		if !o.quiet {
			options.Done = counting(progress(c.ErrOrStderr()))
		}
		kept, err := openKept(book, stage, b, o.resume)
		if err != nil {
			return err
		}
		defer kept.close()
		options.Known, options.Finished = kept.cells, kept.add
		m, err = faultmap.Run(ctx, options)
		m.Format, m.Engine, m.Digest, m.Dir = results.MapFormat, b.engine, b.digest, b.dir
		return err
	})
	if errors.Is(err, faultmap.ErrUndisturbed) {
		fmt.Fprintf(c.ErrOrStderr(), "harness: stage %s: %v\n", stage.ID, err)
		return m, errBroken
	}
	return m, err
}

// counting says how far a map is, about once a second.
func counting(say func(string)) func(done, all int, name string) {
	var mu sync.Mutex
	last := time.Now()
	return func(done, all int, name string) {
		mu.Lock()
		defer mu.Unlock()
		if time.Since(last) > time.Second || done == all {
			last = time.Now()
			say(fmt.Sprintf("%d of %d cells, the last was %s", done, all, name))
		}
	}
}

// mapVerdict is the exit status of a map.
func mapVerdict(m results.Map) error {
	worst := results.Holds
	for _, cells := range [][]results.MapCell{m.Cells, m.Pairs} {
		for _, c := range cells {
			worst = results.Worst(worst, c.Verdict)
		}
	}
	switch worst {
	case results.Broken:
		return errBroken
	case results.NotRun, results.Error:
		return fmt.Errorf("%w: not everything could be proven; see the map", errNotProof)
	}
	return nil
}

// output is a file that a map is written to, if a flag names one.
type output struct {
	flag, path string
	write      func(io.Writer, results.Map) error
	file       *os.File
}

// open comes first: not to be able to write is better known before.
func (o *output) open() (err error) {
	if o.path == "" {
		return nil
	}
	if o.file, err = os.Create(o.path); err != nil {
		return fmt.Errorf("%w: %s: %v", errUsage, o.flag, err)
	}
	return nil
}

func (o *output) put(m results.Map) error {
	if o.file == nil {
		return nil
	}
	if err := o.write(o.file, m); err != nil {
		return fmt.Errorf("write %s %s: %w", o.flag, o.path, err)
	}
	return nil
}

func (o *output) close() {
	if o.file != nil {
		o.file.Close()
	}
}
