package storm

import (
	"context"
	"time"

	"example.com/importer/harness/check"
	"example.com/importer/harness/faultmap"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// Options say what a storm happens to.
type Options struct {
	Stage    matrix.Stage
	Config   world.Config
	Patience time.Duration // without the end of one more job; 0: 20 s
}

// Commands counts the commands that a worker sends for an undisturbed job: those that a
// fault of a plan can be put at.
func Commands(ctx context.Context, o Options) (int, error) {
	plan := Plan{Format: Format, Stage: o.Stage.ID, Workers: 1, Asks: []Ask{{Batch: batchID(0)}}}
	lab := &world.Lab{Config: o.Config}
	if err := faultmap.LoadScripts(ctx, lab); err != nil {
		return 0, err
	}
	n := 0
	err := o.in(ctx, lab, plan, func(s *storm) error {
		n = s.counts[batchID(0)]
		return nil
	})
	return n, err
}

// Judge lets the storm of a plan happen and judges what it left. An error means that it
// could not happen.
func Judge(ctx context.Context, o Options, plan Plan) (results.Storm, error) {
	r := results.Storm{
		Format: results.StormFormat, Stage: o.Stage.ID, Name: o.Stage.Name, Seed: plan.Seed, Workers: plan.Workers,
		Asked: len(plan.Asks), Batches: len(plan.Batches()), Jobs: len(plan.jobs()), Planned: len(plan.Strikes),
	}
	begun := time.Now()
	lab := &world.Lab{Config: o.Config}
	if err := faultmap.LoadScripts(ctx, lab); err != nil {
		return r, err
	}
	var s *storm
	err := o.in(ctx, lab, plan, func(done *storm) error { s = done; return nil })
	r.Millis = time.Since(begun).Milliseconds()
	if err != nil && !world.Blames(err) {
		return r, err
	}
	if err != nil {
		r.Verdict, r.Logs = results.Broken, lab.Logs
		r.Findings = []results.Finding{{
			About: "the programs", Expected: "every batch is imported", Seen: program.Sanitise(err.Error()),
			Rule: matrix.RetryEnds.Sentence, Lesson: matrix.RetryEnds.Lesson,
		}}
		return r, nil
	}
	r.Fired, r.Kinds = len(s.seen.Fired), kinds(s.seen.Fired)
	r.Findings = check.Storm(check.Aftermath{
		Data: o.Config.Data, Jobs: plan.jobs(), Found: s.seen.Jobs, State: s.seen.State, Marks: o.Stage.Marks,
	})
	switch {
	case r.Fired == 0 && r.Planned > 0:
		r.Verdict, r.Reason = results.NotRun, "fault did not fire: none of them"
	case len(r.Findings) == 0:
		r.Verdict = results.Holds
	case !o.Stage.Marks:
		r.Verdict = results.Gap // what the lessons say of this stage
	default:
		r.Verdict, r.Logs = results.Broken, lab.Logs
	}
	if r.Batches <= smallStorm {
		r.Story = s.story()
	}
	return r, nil
}

// smallStorm is of how many batches a story can be told.
const smallStorm = 3

// in lets the storm happen and hands it out when all is quiet.
func (o Options) in(ctx context.Context, lab *world.Lab, plan Plan, use func(*storm) error) error {
	if o.Patience == 0 {
		o.Patience = 20 * time.Second
	}
	return lab.In(ctx, func(w *world.World) error {
		watching, stop := context.WithCancel(ctx)
		s := &storm{World: w, watcher: newWatcher(plan.Strikes), plan: plan, patience: o.Patience}
		defer s.tasks.Wait()
		defer stop()
		if err := s.run(watching); err != nil {
			return err
		}
		return use(s)
	})
}

// jobs maps the id of every job that is asked for to its batch.
func (p Plan) jobs() map[string]string {
	jobs := map[string]string{}
	for _, ask := range p.Asks {
		id := ask.Job
		if id == "" {
			id = shop.JobID(ask.Batch)
		}
		jobs[id] = ask.Batch
	}
	return jobs
}

func kinds(fired []Strike) []results.KindCount {
	var list []results.KindCount
	for _, kind := range faultmap.WorkerKinds {
		n := 0
		for _, s := range fired {
			if s.Kind == kind {
				n++
			}
		}
		if n > 0 {
			list = append(list, results.KindCount{Kind: string(kind), Fired: n})
		}
	}
	return list
}

// story tells what the workers did, each command of theirs for the batches and what
// happened to it.
func (s *storm) story() []results.StoryLine {
	scripts := faultmap.ScriptNames(s.Stage.Dir)
	told := s.told
	for _, w := range s.all {
		for _, x := range w.program.Wire.Exchanges() {
			if x.Touches(shop.StockPrefix) || namesBatch(x.Command) != "" {
				told = append(told, faultmap.Told{At: x.Read, Run: x.Fate == wire.Passed, Line: results.StoryLine{
					Lane: w.name, To: "Redis", Text: faultmap.Brief(x.Command, scripts), Lost: x.Fate == wire.Cut,
				}})
			}
		}
	}
	return faultmap.Together(told)
}
