// Package promise checks the contract of a stage from outside, one promise in one
// file: what is asked of the programs, and what must be seen.
package promise

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
)

// Func checks one promise. What was not as promised goes into saw. An error that
// world.Blames is the program's fault as well, and world.ErrNotFired is nobody's; any
// other is the harness's.
type Func func(ctx context.Context, lab *world.Lab, saw *Saw) error

// All maps the promises of the matrix to their checks.
var All = map[string]Func{
	"seed":                   seedOnce,
	"two-servers":            twoServers,
	"states":                 states,
	"retention":              retention,
	"concurrency":            concurrency,
	"killed-again":           killedAgain,
	"late-renewal":           lateRenewal,
	"defaults":               defaults,
	"per-client":             perClient,
	"redis-killed":           redisKilled,
	"redis-full":             redisFull,
	"same-job":               sameJob,
	"worker-stop":            workerStops,
	"batch-conflict":         batchConflict,
	"mark-first":             markFirst,
	"two-batches":            twoBatches,
	"any-order":              anyOrder,
	"through-outage":         throughOutage,
	"failed-again":           failedAgain,
	"worker-checks":          workerChecks,
	"bad-csv":                badCSV,
	"good-csv":               goodCSV,
	"killed-before-apply":    killedBeforeApply,
	"renewed-lock":           renewed,
	"removed-record":         removedRecord,
	"bounded-retries":        boundedRetries,
	"growing-pauses":         growingPauses,
	"overall-deadline":       overallDeadline,
	"open-repeat":            openRepeat,
	"killed-at-each-command": killedAtEach,
	"late-failure":           lateFailure,
	"late-refusal":           lateRefusal,
	"two-jobs-one-batch":     twoJobsOneBatch,
	"quantity-limit":         quantityLimit,
	"poisoned-keys":          poisonedKeys,
	"script-flush":           scriptFlush,
	"enqueue":                storesForLater,
	"body-refusals":          bodyRefusals,
	"paths":                  pathsAndMethods,
	"catalogue":              catalogueShown,
	"rate-limit":             rateLimit,
	"redis-refused":          unavailable(redisRefuses),
	"redis-hanging":          unavailable(redisHangs),
	"redis-loading":          unavailable(redisLoads),
	"redis-read-only":        unavailable(redisIsReadOnly),
	"redis-out-of-memory":    unavailable(redisIsFull),
	"redis-away-at-start":    awayAtStart,
	"settings":               refusesSettings(producerSettings),
	"worker-settings":        refusesSettings(workerSettings),
	"retry-settings":         refusesSettings(retrySettings),
	"hang-up":                clientHangsUp,
	"stop":                   stopsCleanly,
	"job-never-arrived":      neverArrived,
	"server-logs":            serverLogs,
}

// Check checks the promise of that name. A fault that did not fire is no error: it is
// what the check is Missing.
func Check(ctx context.Context, name string, lab *world.Lab, saw *Saw) error {
	err := All[name](ctx, lab, saw)
	if errors.Is(err, world.ErrNotFired) {
		saw.Missing = err.Error()
		return nil
	}
	return err
}

// Saw is what a check saw.
type Saw struct {
	Where    string // which of several like things is looked at; begins every finding
	Evidence []string
	Findings []results.Finding
	Missing  string // why the check proved nothing, if it did not
}

// Equal notes a finding unless seen is what was expected. About is the thing
// looked at, in words.
func (s *Saw) Equal(about string, expected, seen any) bool {
	e, g := fmt.Sprint(expected), fmt.Sprint(seen)
	if e == g {
		return true
	}
	return s.True(false, about, e, g)
}

// True notes a finding unless ok.
func (s *Saw) True(ok bool, about, expected, seen string) bool {
	if !ok {
		s.Findings = append(s.Findings, results.Finding{About: s.Where + about, Expected: expected, Seen: program.Sanitise(seen)})
	}
	return ok
}

// Under puts the findings from number first on under a rule of their own, and says whether there
// are any. All others are under the rule of the promise.
func (s *Saw) Under(rule matrix.Rule, first int) bool {
	for i := range s.Findings[first:] {
		f := &s.Findings[first+i]
		f.Rule, f.Lesson = rule.Sentence, rule.Lesson
	}
	return len(s.Findings) > first
}

// Soon notes a finding about time unless ok: that something came too late, or that
// too much time went by. A slow machine may be the reason.
func (s *Saw) Soon(ok bool, about, expected, seen string) bool {
	if !s.True(ok, about, expected, seen) {
		s.Findings[len(s.Findings)-1].Timing = true
	}
	return ok
}

// Note keeps evidence of what was done and seen.
func (s *Saw) Note(format string, args ...any) {
	s.Evidence = append(s.Evidence, program.Sanitise(fmt.Sprintf(format, args...)))
}

// Unchanged notes a finding unless stock, generation and marks are as before.
func (s *Saw) Unchanged(ctx context.Context, w *world.World, before world.Dump) error {
	after, err := w.Dump(ctx, shop.StockPrefix)
	if err != nil {
		return err
	}
	changes := before.Changes(after)
	s.True(len(changes) == 0, "stock, generation and marks", "unchanged", strings.Join(changes, "; "))
	return nil
}
