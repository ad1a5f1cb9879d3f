// Package labs runs the tests of the labs beside the lessons and says of each lab what was
// proven.
package labs

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/importer/harness/results"
)

// module is where the packages of the labs are, by their import path.
const module = "example.com/importer/lessons/labs/"

// event is a line of `go test -json`, as far as it matters here.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// Run runs all tests of the labs in dir. What a test prints goes to out line by line. The
// error is of the tools; a test that fails stands in the results.
func Run(ctx context.Context, dir string, out io.Writer) ([]results.Lab, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "-count=1", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = out
	// Interrupted, the tests have containers to remove.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = 30 * time.Second
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run the labs: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run the labs: %w", err)
	}
	found, readErr := read(lines, out)
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("run the labs: %w", context.Cause(ctx))
	case readErr != nil:
		return nil, readErr
	case err != nil && !errors.As(err, &exit):
		return nil, fmt.Errorf("run the labs: %w", err)
	case len(found) == 0:
		return nil, fmt.Errorf("run the labs in %s: no test was run (%v)", dir, err)
	}
	return found, nil
}

// read adds up the events. Packages that are no lab, such as the machinery, count under
// their own name only if something is wrong with them.
func read(lines io.Reader, out io.Writer) ([]results.Lab, error) {
	labs := map[string]*results.Lab{}
	said := map[string]string{} // by package and test: its last line
	scanner := bufio.NewScanner(lines)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var e event
		if json.Unmarshal(scanner.Bytes(), &e) != nil {
			fmt.Fprintln(out, scanner.Text()) // the go tool has something to say
			continue
		}
		name, inLab := strings.CutPrefix(e.Package, module)
		if !inLab {
			name = filepath.Base(e.Package)
		}
		name, _, _ = strings.Cut(name, "/")
		if labs[name] == nil {
			labs[name] = &results.Lab{Name: name}
		}
		key := e.Package + " " + e.Test
		switch {
		case e.Action == "output":
			if text := strings.TrimSpace(e.Output); text != "" && !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "===") {
				said[key] = text
			}
		case e.Test == "" && e.Action == "fail":
			labs[name].Failed = append(labs[name].Failed, strings.TrimPrefix(e.Package, module))
		case e.Test == "":
		case e.Action == "pass":
			labs[name].Passed++
		case e.Action == "fail":
			labs[name].Failed = append(labs[name].Failed, e.Test)
			fmt.Fprintf(out, "failed: %s %s\n", name, e.Test)
		case e.Action == "skip":
			labs[name].Skipped = append(labs[name].Skipped, results.Skip{Test: e.Test, Reason: reason(said[key])})
		}
	}
	var list []results.Lab
	for _, lab := range labs {
		if slices.Contains(names, lab.Name) || len(lab.Failed) > 0 {
			lab.Status = status(*lab)
			slices.SortFunc(lab.Skipped, func(a, b results.Skip) int { return strings.Compare(a.Test, b.Test) })
			list = append(list, *lab)
		}
	}
	slices.SortFunc(list, func(a, b results.Lab) int { return strings.Compare(a.Name, b.Name) })
	return list, scanner.Err()
}

// names are the labs; the other packages beside them are what they are made with.
var names = []string{"law", "ledger", "lua", "paper"}

// reason is what a test said when it was skipped, without the place in the code.
func reason(line string) string {
	if file, rest, ok := strings.Cut(line, ": "); ok && strings.Contains(file, ".go:") {
		return rest
	}
	return line
}

// status is run unless something failed or a container was missing. A test that needs
// another server than there is says so for itself.
func status(lab results.Lab) results.Status {
	switch {
	case len(lab.Failed) > 0:
		return results.Status{Reason: "broken: " + strings.Join(lab.Failed, ", ")}
	case slices.ContainsFunc(lab.Skipped, func(s results.Skip) bool { return strings.HasPrefix(s.Reason, "no container") }):
		return results.Status{Reason: "without proof: tests were skipped, there is no container"}
	case lab.Passed == 0:
		return results.Status{Reason: "no test was run"}
	}
	return results.Status{Run: true}
}
