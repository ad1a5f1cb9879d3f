package faultmap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/check"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
)

// sideBySide is how many cells run at once, each on a database of its own. They mostly
// wait for a lock to run out.
const sideBySide = 12

// Options say which cells are run.
type Options struct {
	Stage    matrix.Stage
	Config   world.Config                     // with the built stage and its data
	Patience time.Duration                    // how long a job may take with all that happens to it; 0: 15 s
	Pairs    bool                             // two faults as well as one
	Cells    []string                         // only these cells and those below them; empty: all
	Known    map[string]results.MapCell       // cells that need not be run again, by name
	Done     func(done, all int, name string) // a cell has ended; called from several goroutines
	Finished func(cell results.MapCell) error // likewise, to keep what there is
}

// ErrUndisturbed means that not even a job without a fault ended as it should, so that
// there is nothing to compare with.
var ErrUndisturbed = errors.New("a job without any fault does not end as it should")

// atlas is a map in the making.
type atlas struct {
	Options
	scripts  map[string]string
	worker   []Step
	producer []Step

	mu       sync.Mutex
	recovery map[string][]Step // by the name of the cell: what a second fault may be put at
	done     int
	all      int
}

// Run draws the map. What is the program's fault stands in the cells; an error means
// that there is no map.
func Run(ctx context.Context, o Options) (m results.Map, err error) {
	if o.Patience == 0 {
		o.Patience = 15 * time.Second
	}
	a := &atlas{Options: o, scripts: ScriptNames(o.Config.Stage.Dir), recovery: map[string][]Step{}}
	if err := a.survey(ctx); err != nil {
		return m, err
	}
	begun := time.Now()
	m = results.Map{Stage: o.Stage.ID, Name: o.Stage.Name, Worker: mapSteps(Worker, a.worker), Producer: mapSteps(Producer, a.producer)}
	if m.Cells, err = a.draw(ctx, a.singles()); err != nil {
		return m, err
	}
	if o.Pairs {
		if m.Pairs, err = a.draw(ctx, a.pairs(m.Cells)); err != nil {
			return m, err
		}
	}
	m.Millis = time.Since(begun).Milliseconds()
	return m, nil
}

// survey lets jobs happen that nothing is done to, and takes down their commands. What
// happens once only on a server is to be over by then: that a script has to be loaded.
func (a *atlas) survey(ctx context.Context) error {
	if err := LoadScripts(ctx, a.lab()); err != nil {
		return err
	}
	for range 2 {
		p, err := runPlay(ctx, a.lab(), a.Patience, nil)
		if err != nil && !world.Blames(err) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w: %s", ErrUndisturbed, program.Sanitise(err.Error()))
		}
		if outcome, why := p.outcome(a.Stage); outcome != results.Once {
			return fmt.Errorf("%w: %s: %s", ErrUndisturbed, outcome, why)
		}
		a.worker = p.recovery(a.scripts)
		a.producer = p.producer(a.scripts)
	}
	return nil
}

// LoadScripts loads the scripts of the stage that are known: those that only a recovery
// needs would otherwise be loaded in one run and be there in the next.
func LoadScripts(ctx context.Context, lab *world.Lab) error {
	return lab.InEmpty(ctx, func(w *world.World) error {
		for script, name := range ScriptNames(w.Stage.Dir) {
			if len(script) == sha1Length {
				continue
			}
			if err := w.Redis.ScriptLoad(ctx, script).Err(); err != nil {
				return fmt.Errorf("load script %s: %w", name, err)
			}
		}
		return nil
	})
}

func mapSteps(side Side, steps []Step) []results.MapStep {
	list := []results.MapStep{}
	for i, s := range steps {
		list = append(list, results.MapStep{ID: fmt.Sprintf("%s%d", side, i+1), Label: s.Label, Stock: s.stock, Writes: s.writes})
	}
	return list
}

// task is a cell that is to be run.
type task struct {
	schedule Schedule
	points   []point
}

func (a *atlas) name(s Schedule) string { return a.Stage.ID + "/" + s.String() }

// singles are all cells with one fault.
func (a *atlas) singles() []task {
	var tasks []task
	for _, side := range []struct {
		side  Side
		steps []Step
		kinds []Kind
	}{{Worker, a.worker, WorkerKinds}, {Producer, a.producer, ProducerKinds}} {
		for i, step := range side.steps {
			for _, kind := range side.kinds {
				f := Fault{Side: side.side, Step: i + 1, Kind: kind}
				tasks = append(tasks, task{Schedule{f}, []point{{f, step}}})
			}
		}
	}
	return tasks
}

// pairs are all cells with a second fault in the recovery from the first. Which commands
// a recovery has is known from the cells with one fault.
func (a *atlas) pairs(singles []results.MapCell) []task {
	var tasks []task
	for _, first := range a.singles() {
		if first.schedule[0].Side != Worker {
			continue
		}
		for i, step := range a.recovery[a.name(first.schedule)] {
			for _, kind := range WorkerKinds {
				f := Fault{Side: Worker, Step: i + 1, Kind: kind}
				tasks = append(tasks, task{
					append(slices.Clone(first.schedule), f), append(slices.Clone(first.points), point{f, step}),
				})
			}
		}
	}
	return tasks
}

// draw runs cells side by side, and those that may have failed for want of time again,
// one by one.
func (a *atlas) draw(ctx context.Context, tasks []task) ([]results.MapCell, error) {
	tasks = slices.DeleteFunc(tasks, func(t task) bool { return !a.wants(a.name(t.schedule)) && !a.leadsTo(t) })
	a.done, a.all = 0, len(tasks)
	cells := make([]results.MapCell, len(tasks))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(sideBySide)
	for i, t := range tasks {
		group.Go(func() (err error) {
			cells[i], err = a.cell(groupCtx, t)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	const secondLooks = 8
	again := 0
	for i, t := range tasks {
		if late := cells[i].Verdict == results.NotRun || cells[i].Outcome == results.Stuck; late && again < secondLooks {
			again++
			var err error
			if cells[i], err = a.cell(ctx, t); err != nil {
				return nil, err
			}
		}
	}
	return slices.DeleteFunc(cells, func(c results.MapCell) bool { return !a.wants(c.Name) }), nil
}

// wants says whether a cell is asked for: by its name, by its command, or by the first of
// its two faults.
func (o Options) wants(name string) bool {
	return len(o.Cells) == 0 || slices.ContainsFunc(o.Cells, func(cell string) bool {
		return name == cell || strings.HasPrefix(name, cell+"/") || strings.HasPrefix(name, cell+"+")
	})
}

// leadsTo says whether a cell has to be run to know the commands of the recovery that
// one which is asked for has its second fault in.
func (a *atlas) leadsTo(t task) bool {
	name := a.name(t.schedule)
	return a.Pairs && slices.ContainsFunc(a.Cells, func(cell string) bool { return strings.HasPrefix(cell, name+"+") })
}

// cell runs one cell, unless it is known. Its error is the end of the map: ctx has ended
// or the harness is in trouble that no other cell would be spared.
func (a *atlas) cell(ctx context.Context, t task) (results.MapCell, error) {
	name := a.name(t.schedule)
	if known, ok := a.Known[name]; ok && (!a.Pairs || len(t.schedule) > 1) {
		a.tell(name)
		return known, nil
	}
	begun := time.Now()
	p, err := runPlay(ctx, a.lab(), a.Patience, t.points)
	if ctx.Err() != nil {
		return results.MapCell{}, fmt.Errorf("map: %w", context.Cause(ctx))
	}
	c := results.MapCell{Name: name}
	switch {
	case err != nil && !world.Blames(err):
		c.Verdict, c.Why = results.Error, program.Sanitise(err.Error())
	case err != nil:
		c.Verdict, c.Why = results.Broken, program.Sanitise(err.Error())
	case p.left() > 0:
		c.Verdict, c.Why = results.NotRun, fmt.Sprintf("fault did not fire: no command %s (%s) came", t.schedule[len(t.schedule)-p.left()], p.points[0].at.Label)
	default:
		c.Outcome, c.Why = p.outcome(a.Stage)
		c.Verdict = a.verdict(t.schedule, c.Outcome)
		a.mu.Lock()
		a.recovery[name] = p.recovery(a.scripts)
		a.mu.Unlock()
	}
	if p != nil && p.server != nil {
		c.Story = p.story(a.scripts, c.Why)
	}
	c.Millis = time.Since(begun).Milliseconds()
	a.tell(name)
	if a.Finished != nil {
		return c, a.Finished(c)
	}
	return c, nil
}

// verdict is broken unless the outcome is right, or wrong where the lessons say so. About
// two faults at a stage that one of them is too much for, nothing is promised.
func (a *atlas) verdict(s Schedule, outcome results.Outcome) results.Verdict {
	expected := func(f Fault) bool { return Expected(a.Stage, mapSteps(Worker, a.worker), f) }
	switch {
	case outcome == results.Once:
		return results.Holds
	case outcome == results.Stuck:
		return results.Broken
	case len(s) == 1 && expected(s[0]), len(s) > 1 && a.Stage.Works && !a.Stage.Marks:
		return results.Gap
	}
	return results.Broken
}

func (a *atlas) tell(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done++
	if a.Done != nil {
		a.Done(a.done, a.all, name)
	}
}

// lab makes a world with a clean database for each play.
func (a *atlas) lab() *world.Lab { return &world.Lab{Config: a.Config} }

// outcome has the checker judge what is left.
func (p *play) outcome(stage matrix.Stage) (results.Outcome, string) {
	jobs := 0
	for _, n := range p.end.Counts {
		jobs += n
	}
	return check.Outcome(check.Quiet{
		Data: p.Data, Batch: p.batch, State: p.end.State, Job: p.end.Job, Jobs: jobs,
		Works: stage.Works, Marks: stage.Marks, Stuck: stage.Works && p.ended.IsZero(),
	})
}
