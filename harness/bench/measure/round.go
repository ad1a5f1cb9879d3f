package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"example.com/importer/harness/bench/figures"
)

// part is something that is measured once in a round, under one name or more.
type part struct {
	name string
	take func(context.Context) (figures.Round, error)
}

// Take measures all rounds. say is told what happens, a line at a time.
func (b Bench) Take(ctx context.Context, say func(string)) ([]figures.Round, error) {
	if err := b.quieten(ctx); err != nil {
		return nil, err
	}
	var rounds []figures.Round
	for n := range b.Plan.Rounds {
		round := figures.Round{}
		for _, group := range b.groups() {
			// Nobody is always the first, who meets a server that has just rested, or the last.
			rotated := slices.Concat(group[n%len(group):], group[:n%len(group)])
			for _, p := range rotated {
				say(fmt.Sprintf("round %d of %d: %s", n+1, b.Plan.Rounds, p.name))
				values, err := p.take(ctx)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", p.name, err)
				}
				round.Add(values)
			}
		}
		rounds = append(rounds, round)
		if err := b.compact(ctx); err != nil {
			return nil, err
		}
	}
	return rounds, nil
}

// groups are the parts; those of a group are compared and follow one another.
func (b Bench) groups() [][]part {
	p, s08 := b.Plan, b.Stages["08"]
	groups := [][]part{
		{
			b.one("enqueue/1/stage-08", func(ctx context.Context) (float64, error) { return b.enqueue(ctx, s08, p.Enqueue, 1) }),
			b.one("enqueue/1/asynq", func(ctx context.Context) (float64, error) { return b.enqueue(ctx, b.Peer, p.Enqueue, 1) }),
			b.one("enqueue/1/asynq-client", func(ctx context.Context) (float64, error) { return b.enqueueByClient(ctx, p.Enqueue, 1) }),
		},
		{
			b.one("enqueue/64/stage-08", func(ctx context.Context) (float64, error) { return b.enqueue(ctx, s08, p.Flood, inFlight) }),
			b.one("enqueue/64/asynq", func(ctx context.Context) (float64, error) { return b.enqueue(ctx, b.Peer, p.Flood, inFlight) }),
		},
	}
	for _, inHand := range []int{1, 16, 64} {
		groups = append(groups, b.processing(inHand))
	}
	groups = append(groups, []part{
		b.one("both/stage-08", func(ctx context.Context) (float64, error) { return b.together(ctx, s08, p.Process, 16) }),
	}, []part{
		{"latency/stage-08", func(ctx context.Context) (figures.Round, error) {
			median, p95, err := b.latency(ctx, s08, p.Latency)
			return figures.Round{"latency/median/stage-08": median, "latency/p95/stage-08": p95}, err
		}},
		b.one("stop/stage-08", func(ctx context.Context) (float64, error) { return b.leave(ctx, s08, p.Stops) }),
	})
	var growing []part
	for _, rows := range []int{1, 3, 10, 50, 100} {
		growing = append(growing, b.one(fmt.Sprintf("apply/%d", rows), func(ctx context.Context) (float64, error) { return b.growth(ctx, rows, p.Calls, false) }))
	}
	growing = append(growing, b.one("apply/repeat", func(ctx context.Context) (float64, error) { return b.growth(ctx, 3, p.Calls, true) }))
	return append(groups, growing)
}

// processing is everybody with so many jobs in hand. Stages 06 and 07 are there with one
// only: with more they lose additions, and a wrong result has no speed.
func (b Bench) processing(inHand int) []part {
	jobs, subjects := b.Plan.Process, []Subject{b.Stages["08"], b.Peer}
	if inHand == 1 {
		jobs, subjects = b.Plan.OneHand, append(subjects, b.Stages["06"], b.Stages["07"])
	}
	var parts []part
	for _, s := range subjects {
		parts = append(parts, b.one(fmt.Sprintf("process/%d/%s", inHand, s.Name), func(ctx context.Context) (float64, error) {
			return b.process(ctx, s, jobs, inHand)
		}))
	}
	return append(parts, b.one(fmt.Sprintf("process/%d/limit", inHand), func(ctx context.Context) (float64, error) { return b.limit(ctx, jobs, inHand) }))
}

func (b Bench) one(name string, take func(context.Context) (float64, error)) part {
	return part{name, func(ctx context.Context) (figures.Round, error) {
		value, err := take(ctx)
		return figures.Round{name: value}, err
	}}
}

// quieten keeps Redis from rewriting its file while somebody is measured, who would be
// charged for it; compact has it rewritten between two rounds.
func (b Bench) quieten(ctx context.Context) error {
	client := b.Engine.Client(0)
	defer client.Close()
	if err := client.ConfigSet(ctx, "auto-aof-rewrite-percentage", "0").Err(); err != nil {
		return fmt.Errorf("keep Redis from rewriting its file: %w", err)
	}
	return nil
}

func (b Bench) compact(ctx context.Context) error {
	client := b.Engine.Client(0)
	defer client.Close()
	if err := client.BgRewriteAOF(ctx).Err(); err != nil {
		return fmt.Errorf("have Redis rewrite its file: %w", err)
	}
	return until(ctx, "Redis has rewritten its file", func(ctx context.Context) (bool, error) {
		info, err := client.Info(ctx, "persistence").Result()
		return strings.Contains(info, "aof_rewrite_in_progress:0\r") && strings.Contains(info, "aof_rewrite_scheduled:0\r"), err
	})
}
