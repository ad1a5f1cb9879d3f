package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"example.com/importer/harness/faultmap"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/report"
	"example.com/importer/harness/results"
)

func replayCommand() *cobra.Command {
	var from source
	var mermaid bool
	command := &cobra.Command{
		Use:   "replay CELL|FILE",
		Short: "Run one cell of a fault map, or a kept storm, again and tell its story",
		Example: "  harness replay 07/k5/cut-after\n" +
			"  harness replay 08/k3/kill-before+k2/freeze\n" +
			"  harness replay .build/storm-07-42.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("%w: name one cell, such as 07/k5/cut-after", errUsage)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if strings.HasSuffix(args[0], ".json") {
				return replayStorm(c, from, args[0])
			}
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			id, schedule, err := faultmap.ParseCell(args[0])
			if err != nil {
				return fmt.Errorf("%w: %v", errUsage, err)
			}
			if err := oneStage(c, []string{id}); err != nil {
				return err
			}
			stage, _ := matrix.FindStage(id)
			m, err := drawMap(c, book, from, stage, mapOptions{pairs: len(schedule) > 1, cells: args, quiet: true})
			if err != nil {
				return err
			}
			found := append(m.Cells, m.Pairs...)
			if len(found) == 0 {
				return fmt.Errorf("%w: %s: stage %s has no such cell; its commands are %s", errUsage, args[0], id, stepNames(m))
			}
			cell := found[0]
			if mermaid {
				report.Mermaid(c.OutOrStdout(), cell)
				return mapVerdict(m)
			}
			fmt.Fprintf(c.OutOrStdout(), "\n%s on %s\n\n", cell.Name, m.Engine.Label)
			report.Story(c.OutOrStdout(), cell)
			fmt.Fprintf(c.OutOrStdout(), "\n  %s: %s\n", cell.Verdict, cell.Outcome)
			return mapVerdict(m)
		},
	}
	from.register(command)
	command.Flags().BoolVar(&mermaid, "mermaid", false, "tell it as a sequence diagram in the language of Mermaid")
	return command
}

func stepNames(m results.Map) string {
	names := ""
	for _, step := range append(append([]results.MapStep{}, m.Worker...), m.Producer...) {
		names += fmt.Sprintf("\n  %-4s %s", step.ID, step.Label)
	}
	return names
}
