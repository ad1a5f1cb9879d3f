package runner

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/check"
	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/promise"
	"example.com/importer/harness/results"
	"example.com/importer/harness/scenario"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/program"
)

// cellBound ends a cell that hangs in spite of the bounds on each of its waits.
const cellBound = 2 * time.Minute

// secondLooks is how many things of a stage are looked at again. A program that does
// nothing at all is late everywhere, and its reader need not wait for all of it twice.
const secondLooks = 4

// session is one stage on one engine.
type session struct {
	Options
	engine *engine.Engine
	own    *engine.Own
	build  *build
	data   []dataset.Data
	dirs   []string
	found  *results.Stage

	scratch string // holds dirs, and data folders of the stories' own
}

// tryToStart finds out a server that does not start, so that this is said once and
// not as forty different failures.
func (s *session) tryToStart(ctx context.Context) error {
	if s.build.What != "" {
		return nil
	}
	lab := &world.Lab{Config: s.config(0)}
	err := lab.In(ctx, func(w *world.World) error {
		_, err := w.Serve(ctx, "server", nil)
		return err
	})
	if !world.Blames(err) {
		return err
	}
	s.build.What = "the server does not start"
	said, _, _ := strings.Cut(err.Error(), "\n") // the programs' own words follow
	s.build.Failure = strings.Join(append([]string{program.Sanitise(said)}, lab.Logs...), "\n")
	s.build.Kind = kindOf(err)
	s.found.Fails, s.found.Kind, s.found.Failure = s.build.What, s.build.Kind, s.build.Failure
	return nil
}

// schedule starts every cell of the stage; each has its place in found already.
func (s *session) schedule(ctx context.Context, group *errgroup.Group) {
	for i := range s.found.Promises {
		if declared := s.declared(i); !declared.Alone() {
			group.Go(func() error { s.check(ctx, i); return nil })
		}
	}
	for i := range s.found.Cells {
		for d := range s.data {
			group.Go(func() error { s.story(ctx, i, d); return nil })
		}
	}
}

// runAlone starts what nothing else may run beside.
func (s *session) runAlone(ctx context.Context) {
	for i := range s.found.Promises {
		if declared := s.declared(i); declared.Alone() {
			s.check(ctx, i)
		}
	}
}

// lookAgain gives a second look to what may have failed for want of time, now that
// nothing else is at work. What is wrong whatever the time is never looked at again.
func (s *session) lookAgain(ctx context.Context) {
	left := secondLooks
	for i := range s.found.Promises {
		if p := s.found.Promises[i]; left > 0 && forWantOfTime(p.Verdict, p.Reason, p.Findings) {
			left--
			s.check(ctx, i)
			s.found.Promises[i].Again = brief(p.Reason, p.Findings)
		}
	}
	for i := range s.found.Cells {
		for d, run := range s.found.Cells[i].Runs {
			if left > 0 && forWantOfTime(run.Verdict, run.Reason, run.Findings) {
				left--
				s.story(ctx, i, d)
				s.found.Cells[i].Runs[d].Again = brief(run.Reason, run.Findings)
			}
		}
	}
}

// forWantOfTime says whether a slow machine may be all that was wrong.
func forWantOfTime(v results.Verdict, reason string, findings []results.Finding) bool {
	switch v {
	case results.NotRun:
		return strings.HasPrefix(reason, world.ErrNotFired.Error())
	case results.Broken:
		return len(findings) > 0 && !slices.ContainsFunc(findings, func(f results.Finding) bool { return !f.Timing })
	}
	return false
}

// brief is what the first look found, in a line.
func brief(reason string, findings []results.Finding) string {
	if len(findings) == 0 {
		return reason
	}
	return findings[0].About + ": " + findings[0].Seen
}

func (s *session) declared(i int) matrix.Promise {
	name := s.found.Promises[i].Name
	all := matrix.PromisesOf(s.build.stage.ID)
	return all[slices.IndexFunc(all, func(p matrix.Promise) bool { return p.Name == name })]
}

func (s *session) check(ctx context.Context, i int) {
	place := &s.found.Promises[i]
	optional := place.Optional
	*place = s.promise(ctx, s.declared(i))
	place.Optional = optional
	s.progress(ctx, place.Name, place.Verdict)
}

// story runs the scenario of cell i with data set d.
func (s *session) story(ctx context.Context, i, d int) {
	scenario := s.found.Cells[i].Scenario
	declared := slices.IndexFunc(s.build.stage.Cells, func(c matrix.Cell) bool { return c.Scenario == scenario })
	run := s.cell(ctx, s.build.stage.Cells[declared], d)
	s.found.Cells[i].Runs[d] = run
	s.progress(ctx, scenario+" ("+s.data[d].Name+" data)", run.Verdict)
}

// progress says how something ended, unless all is being ended from outside.
func (s *session) progress(ctx context.Context, name string, v results.Verdict) {
	if ctx.Err() == nil {
		s.Progress("stage " + s.build.stage.ID + " " + name + ": " + string(v))
	}
}

// promise checks one promise, with the teaching data.
func (s *session) promise(ctx context.Context, declared matrix.Promise) results.Promise {
	p := results.Promise{Name: declared.Name, Title: declared.Title}
	if s.build.What != "" {
		p.Verdict, p.Reason = results.Broken, s.build.What
		return p
	}
	ctx, cancel := context.WithTimeout(ctx, cellBound)
	defer cancel()
	started := time.Now()
	lab := &world.Lab{Config: s.config(0)}
	var waited waits
	lab.Waited = waited.add
	var saw promise.Saw
	err := promise.Check(ctx, declared.Name, lab, &saw)
	p.Evidence = saw.Evidence
	for _, f := range saw.Findings {
		if f.Rule == "" {
			f.Rule, f.Lesson = declared.Rule.Sentence, declared.Rule.Lesson
		}
		f.Kind = kindOfFinding(f)
		p.Findings = append(p.Findings, f)
	}
	switch {
	case world.Blames(err):
		p.Findings = append(p.Findings, finding(declared.Title, err, declared.Rule))
		p.Verdict = results.Broken
	case err != nil:
		p.Verdict, p.Reason = results.Error, program.Sanitise(err.Error())
	case len(p.Findings) > 0:
		p.Verdict = results.Broken
	case saw.Missing != "":
		p.Verdict, p.Reason = results.NotRun, saw.Missing
	default:
		p.Verdict = results.Holds
	}
	if p.Verdict != results.Holds {
		p.Logs = lab.Logs
	}
	p.Millis, p.Waited = time.Since(started).Milliseconds(), waited.millis()
	return p
}

// stuck tells of a story that could not go on, by the program's fault: what was
// to come next, and what came instead.
func stuck(cell matrix.Cell, story history.Story, err error) results.Finding {
	next := cell.Right[min(len(story.Steps), len(cell.Right)-1)]
	f := finding(next.Title, err, matrix.RetryEnds)
	f.Step = next.Step
	return f
}

func finding(expected string, err error, rule matrix.Rule) results.Finding {
	return results.Finding{
		About: "the programs", Expected: expected, Seen: program.Sanitise(err.Error()), Rule: rule.Sentence, Lesson: rule.Lesson,
		Timing: world.Late(err), Kind: kindOf(err),
	}
}

// cell lets one story happen and has it judged.
func (s *session) cell(ctx context.Context, cell matrix.Cell, d int) results.Run {
	if s.build.What != "" {
		return results.Run{Data: s.data[d].Name, Verdict: results.Broken, Reason: s.build.What}
	}
	ctx, cancel := context.WithTimeout(ctx, cellBound)
	defer cancel()
	started := time.Now()
	lab := &world.Lab{Config: s.config(d)}
	var waited waits
	lab.Waited = waited.add
	story := history.Story{Scenario: cell.Scenario, Data: s.data[d]}
	err := scenario.All[cell.Scenario](ctx, lab, &story)
	run := check.Cell(s.build.stage, cell, story)
	switch {
	case world.Blames(err):
		// What was seen before stays in the run; it may be the reason.
		run.Verdict = results.Broken
		run.Findings = append(run.Findings, stuck(cell, story, err))
	case err != nil:
		run.Verdict, run.Reason, run.Findings = results.Error, program.Sanitise(err.Error()), nil
	}
	if run.Verdict != results.Holds {
		run.Logs = lab.Logs
	}
	run.Millis, run.Waited = time.Since(started).Milliseconds(), waited.millis()
	return run
}

func (s *session) config(d int) world.Config {
	config := world.Config{
		Engine: s.engine, Data: s.data[d], DataDir: s.dirs[d], Scratch: s.scratch, Own: s.own,
		Stage: s.build.Stage,
	}
	if s.Isolation != nil {
		config.Take = func(ctx context.Context) (world.Place, error) { return s.Isolation.Take(ctx) }
	}
	return config
}
