package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.com/importer/harness/learn/failure"
	"example.com/importer/harness/learn/hint"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

func hintCommand() *cobra.Command {
	var stage matrix.Stage
	var name string
	var level int
	command := &cobra.Command{
		Use:   "hint STAGE [SCENARIO|PROMISE]",
		Short: "Help with what broke last: a question, where to look, nearly the answer",
		Long:  "Help with the rule that broke. Without a name it is about the first thing that did not hold\nwhen the stage was run last.",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				name = args[1]
				args = args[:1]
			}
			return thisStage(&stage)(c, args)
		},
		ValidArgsFunction: completeStageThenCheck,
		RunE: func(c *cobra.Command, _ []string) error {
			if level < 1 || level > hint.Levels {
				return fmt.Errorf("%w: --level %d: allowed are 1 to %d", errUsage, level, hint.Levels)
			}
			book, err := findWorkbook()
			if err != nil {
				return err
			}
			about, err := hintAbout(book, stage, name)
			if err != nil {
				return err
			}
			if about.done != "" {
				fmt.Fprintln(c.OutOrStdout(), about.done)
				return nil
			}
			return tellHint(c.OutOrStdout(), book, stage, about, level)
		},
	}
	command.Flags().IntVar(&level, "level", 1, "1 a question, 2 where to look, 3 nearly the answer")
	_ = command.RegisterFlagCompletionFunc("level", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{"1\ta question", "2\twhere to look", "3\tnearly the answer"}, cobra.ShellCompDirectiveNoFileComp
	})
	return command
}

// topic is what a hint is about.
type topic struct {
	failure failure.Failure
	dir     string // that was run; empty: the reference's folder, or not run
	done    string // set if there is nothing to help with: why
}

// hintAbout looks at what was run last. A scenario or promise that is named is helped
// with even if it was not run, or held.
func hintAbout(book workbook, stage matrix.Stage, name string) (topic, error) {
	rule, known := failure.RuleOf(stage, name)
	if name != "" && !known {
		return topic{}, fmt.Errorf("%w: stage %s has no scenario or promise %q; it has %s", errUsage, stage.ID, name, strings.Join(namesAt(stage), ", "))
	}
	found, ok, err := book.last(stage.ID)
	if err != nil {
		return topic{}, err
	}
	named := topic{failure: failure.Failure{Name: name, Rule: rule}}
	if !ok {
		if name == "" {
			return topic{}, fmt.Errorf("%w: stage %s has not been run yet, so nothing is known to be broken: run it, or name a scenario or promise", errUsage, stage.ID)
		}
		return named, nil
	}
	last := found.Stages[0]
	if last.Fails != "" {
		return topic{done: last.Fails + "; that comes first:\n\n" + last.Failure}, nil
	}
	if name != "" {
		if f, ok := failure.ByName(last, found.Engine, name); ok {
			named.failure = f
		}
		named.dir = last.Dir
		return named, nil
	}
	failures := failure.Of(last, found.Engine)
	if len(failures) == 0 {
		return topic{done: "Nothing was broken when stage " + stage.ID + " was run last." + gaps(last)}, nil
	}
	return topic{failure: failures[0], dir: last.Dir}, nil
}

// gaps names what the stage is known to get wrong, which is not for mending here.
func gaps(stage results.Stage) string {
	var text string
	for _, cell := range stage.Cells {
		if cell.Verdict == results.Gap {
			text += fmt.Sprintf("\n%s has the gap of this stage, which %s explains.", cell.Scenario, hint.Section(cell.See))
		}
	}
	return text
}

func tellHint(out io.Writer, book workbook, stage matrix.Stage, about topic, level int) error {
	f := about.failure
	h, ok := hint.For(f.Rule)
	if !ok {
		return fmt.Errorf("there is no hint for the rule %q", f.Rule.ID)
	}
	line := func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }
	line("%s: %s", f.Name, titleOf(f.Name))
	if len(f.Findings) > 0 {
		line("  expected: %s\n  seen:     %s", f.Findings[0].Expected, f.Findings[0].Seen)
	} else if f.Reason != "" {
		line("  %s", f.Reason)
	}
	line("  rule:     %s\n", f.Rule.Sentence)
	line("1. %s", h.Question)
	if level >= 2 {
		files := h.FilesIn(func(name string) bool {
			_, err := os.Stat(filepath.Join(string(book), "stages", stage.Folder(), name))
			return err == nil
		})
		for i := range files {
			files[i] = filepath.Join(about.dir, files[i])
		}
		line("\n2. Look into %s, and read %s.\n   %s", strings.Join(files, ", "), hint.Section(f.Rule.Lesson), h.Look)
	}
	if level >= 3 {
		line("\n3. %s", h.Answer)
	}
	if level < hint.Levels {
		line("\nMore: .build/harness hint %s %s --level %d", stage.ID, f.Name, level+1)
	}
	return nil
}

func namesAt(stage matrix.Stage) []string {
	var names []string
	for _, cell := range stage.Cells {
		names = append(names, cell.Scenario)
	}
	for _, p := range matrix.PromisesOf(stage.ID) {
		names = append(names, p.Name)
	}
	return names
}

func titleOf(name string) string {
	for _, s := range matrix.Scenarios {
		if s.Name == name {
			return s.Title
		}
	}
	for _, p := range matrix.Promises {
		if p.Name == name {
			return p.Title
		}
	}
	return ""
}
