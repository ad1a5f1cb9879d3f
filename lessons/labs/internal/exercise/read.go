package exercise

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// event is a line of `go test -json`.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of the package that is being built
	FailedBuild string
	Test        string
	Output      string
}

// reading is what is known of one package so far.
type reading struct {
	builds  strings.Builder
	output  strings.Builder
	passed  int // tests
	failed  bool
	skipped bool
	ended   string // the package's own pass, fail or skip
	build   string // the build that failed
}

// read turns the events of all packages into one result for each exercise.
func read(events io.Reader, list []attempt, packages map[string]int) ([]Result, error) {
	builds := map[string]*strings.Builder{}
	readings := make([]reading, len(list))
	decoder := json.NewDecoder(events)
	for {
		var e event
		err := decoder.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the go command's answer cannot be read: %w", err)
		}
		if e.Action == "build-output" {
			if builds[e.ImportPath] == nil {
				builds[e.ImportPath] = new(strings.Builder)
			}
			builds[e.ImportPath].WriteString(e.Output)
			continue
		}
		if i, ours := packages[e.Package]; ours {
			readings[i].add(e)
		}
	}
	results := make([]Result, len(list))
	for i, r := range readings {
		if said := builds[r.build]; said != nil {
			r.builds.WriteString(said.String())
		}
		verdict, says := r.verdict()
		if verdict == noResult {
			return nil, fmt.Errorf("the check of %s did not run", list[i].folder)
		}
		results[i] = Result{Exercise: list[i].Exercise, Verdict: verdict, Says: says, Rehearsal: rehearsal.FindString(r.output.String())}
	}
	return results, nil
}

func (r *reading) add(e event) {
	switch {
	case e.Action == "output":
		r.output.WriteString(e.Output)
	case e.Test != "":
		switch e.Action {
		case "pass":
			r.passed++
		case "fail":
			r.failed = true
		case "skip":
			r.skipped = true
		}
	case e.Action == "pass" || e.Action == "fail" || e.Action == "skip":
		r.ended, r.build = e.Action, e.FailedBuild
	}
}

// verdict never calls an exercise solved of which nothing was checked.
func (r *reading) verdict() (Verdict, string) {
	switch {
	case r.build != "":
		return NoBuild, clean(r.builds.String())
	case r.ended == "fail":
		return NotYet, clean(r.output.String())
	case r.skipped:
		return NotRun, clean(r.output.String())
	case r.ended == "pass" && r.passed > 0:
		return Solved, clean(r.output.String())
	default:
		return noResult, ""
	}
}

var (
	// chatter is what `go test` says for programs and people who develop tests.
	chatter = regexp.MustCompile(`^\s*(=== \w+|--- (PASS|FAIL|SKIP):|FAIL$|PASS$|ok\s|FAIL\s|# |exit status|coverage:)`)
	place   = regexp.MustCompile(`^\s+\S+\.go:\d+: `)
	trace   = regexp.MustCompile(`^goroutine \d+ `)
	// rehearsal is what a check logs that had no real Redis.
	rehearsal = regexp.MustCompile(`rehearsed on miniredis only.*`)
)

const mostLines = 40

// clean keeps the words that are meant for the learner.
func clean(output string) string {
	var kept []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, " \n")
		if trace.MatchString(line) {
			break // a panic's own line has been said; its stack is of no help
		}
		if rehearsal.MatchString(line) {
			continue // it is told beside the verdict
		}
		if chatter.MatchString(line) {
			if len(kept) > 0 && kept[len(kept)-1] != "" {
				kept = append(kept, "") // between the words of one test and the next
			}
			continue
		}
		if at := place.FindString(line); at != "" {
			line = line[len(at):]
		}
		kept = append(kept, strings.TrimPrefix(strings.TrimPrefix(line, "    "), "    "))
	}
	if len(kept) > mostLines {
		kept = append(kept[:mostLines], "...")
	}
	return strings.Trim(strings.Join(kept, "\n"), "\n")
}
