package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"example.com/importer/harness/learn/start"
	"example.com/importer/harness/matrix"
)

// thisStage is what a command needs that is about one stage.
func thisStage(stage *matrix.Stage) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%w: %s takes one stage; %q is one too many", errUsage, c.CommandPath(), args[1])
		}
		stages, err := stagesOf(args)
		if err == nil {
			*stage = stages[0]
		}
		return err
	}
}

// stageNames offers the stages, each with its name.
func stageNames(except []string) []string {
	var list []string
	for _, s := range matrix.Stages {
		if !slices.Contains(except, s.ID) {
			list = append(list, cobra.CompletionWithDesc(s.ID, s.Name))
		}
	}
	return list
}

func completeStage(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return stageNames(nil), cobra.ShellCompDirectiveNoFileComp
}

func completeStages(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return stageNames(args), cobra.ShellCompDirectiveNoFileComp
}

// completeCheck offers the scenarios and promises of the stages that are named, or of
// all.
func completeCheck(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return checkNames(args), cobra.ShellCompDirectiveNoFileComp
}

func checkNames(stages []string) []string {
	var list []string
	for _, s := range matrix.Scenarios {
		list = append(list, cobra.CompletionWithDesc(s.Name, s.Title))
	}
	for _, p := range matrix.Promises {
		if len(stages) == 0 || slices.Max(stages) >= p.From {
			list = append(list, cobra.CompletionWithDesc(p.Name, p.Title))
		}
	}
	return list
}

func completeStageThenCheck(c *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0:
		return completeStage(c, args, start)
	case 1:
		return completeCheck(c, args, start)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func completeEngine(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"auto", "container", "miniredis", "url"}, cobra.ShellCompDirectiveNoFileComp
}

func completeDir(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func completeStartFile(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	book, err := findWorkbook()
	stage, ok := matrix.FindStage(slices.Concat(args, []string{""})[0])
	if err != nil || !ok {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	plan, err := start.NewPlan(string(book), stage)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, f := range plan.Files {
		names = append(names, cobra.CompletionWithDesc(filepath.ToSlash(f.Name), string(f.Origin)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
