// Labs hands out the exercises of a lab and checks what is there: make lab LAB=... in the workbook's
// folder.
//
// It exits with 0 if all are solved, 1 if one is not, 2 after wrong usage, 3 if it could not check.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"example.com/importer/lessons/labs/internal/exercise"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, ".", os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

func run(ctx context.Context, root string, arguments []string, stdout, stderr io.Writer) int {
	results, err := check(ctx, root, arguments)
	if err == nil {
		err = exercise.Tell(stdout, results)
	}
	switch {
	case errors.Is(err, errUsage) || errors.Is(err, exercise.ErrUnknown):
		fmt.Fprintln(stderr, err)
		return 2
	case err != nil:
		fmt.Fprintln(stderr, err)
		return 3
	}
	status := 0
	for _, result := range results {
		switch result.Verdict {
		case exercise.Solved:
		case exercise.NotRun:
			status = max(status, 3)
		default:
			status = max(status, 1)
		}
	}
	return status
}

var errUsage = errors.New("name one lab")

func check(ctx context.Context, root string, arguments []string) ([]exercise.Result, error) {
	if len(arguments) != 1 || arguments[0] == "" {
		labs, err := exercise.Labs(root)
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: make lab LAB=%s", errUsage, strings.Join(labs, "|"))
	}
	list, err := exercise.Of(root, arguments[0])
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if err := e.HandOut(); err != nil {
			return nil, err
		}
	}
	return exercise.Check(ctx, list)
}
