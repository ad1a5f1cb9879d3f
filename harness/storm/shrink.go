package storm

import (
	"context"
	"slices"
	"time"
)

// Shrink makes a plan that fails smaller, for as long as it still fails, within the given
// time: first it leaves out faults, then batches. fails runs a plan.
func Shrink(ctx context.Context, plan Plan, bound time.Duration, fails func(context.Context, Plan) (bool, error)) (Plan, error) {
	until := time.Now().Add(bound)
	var failed error
	try := func(p Plan) bool {
		if failed != nil || time.Now().After(until) || len(p.Asks) == 0 {
			return false
		}
		var yes bool
		yes, failed = fails(ctx, p)
		return yes && failed == nil
	}
	plan.Strikes = smaller(plan.Strikes, func(strikes []Strike) bool {
		p := plan
		p.Strikes = strikes
		return try(p)
	})
	with := func(batches []string) Plan {
		p := plan
		p.Asks, p.Strikes = nil, nil
		for _, ask := range plan.Asks {
			if slices.Contains(batches, ask.Batch) {
				p.Asks = append(p.Asks, ask)
			}
		}
		for _, s := range plan.Strikes {
			if slices.Contains(batches, s.Batch) {
				p.Strikes = append(p.Strikes, s)
			}
		}
		return p
	}
	plan = with(smaller(plan.Batches(), func(batches []string) bool { return try(with(batches)) }))
	plan.Asks = smaller(plan.Asks, func(asks []Ask) bool {
		p := plan
		p.Asks = asks
		for _, s := range p.Strikes {
			if !slices.Contains(p.Batches(), s.Batch) {
				return false
			}
		}
		return try(p)
	})
	return plan, failed
}

// smaller leaves out parts of a list, half of it first and single ones in the end, for as
// long as the rest still fails.
func smaller[T any](list []T, fails func([]T) bool) []T {
	for size := len(list) / 2; size > 0; size /= 2 {
		for from := 0; from+size <= len(list); {
			rest := slices.Delete(slices.Clone(list), from, from+size)
			if fails(rest) {
				list = rest
			} else {
				from += size
			}
		}
	}
	return list
}
