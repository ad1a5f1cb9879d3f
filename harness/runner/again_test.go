package runner

import (
	"context"
	"testing"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/promise"
	"example.com/importer/harness/results"
	"example.com/importer/harness/world"
)

// What came too late counts when it comes too late again, alone. What is wrong at any
// speed counts at once.
func TestASecondLook(t *testing.T) {
	late := func(saw *promise.Saw) { saw.Soon(false, "answer", "at once", "much later") }
	wrong := func(saw *promise.Saw) { saw.Equal("stock", 20, 32) }
	fine := func(*promise.Saw) {}
	for _, c := range []struct {
		name  string
		looks []func(*promise.Saw) // a further one would be out of range
		want  results.Verdict
		again string
	}{
		{"late once", []func(*promise.Saw){late, fine}, results.Holds, "answer: much later"},
		{"late twice", []func(*promise.Saw){late, late}, results.Broken, "answer: much later"},
		{"late, then wrong", []func(*promise.Saw){late, wrong}, results.Broken, "answer: much later"},
		{"wrong", []func(*promise.Saw){wrong}, results.Broken, ""},
		{"late and wrong", []func(*promise.Saw){func(saw *promise.Saw) { late(saw); wrong(saw) }}, results.Broken, ""},
		{"fault did not fire", []func(*promise.Saw){func(saw *promise.Saw) { saw.Missing = world.ErrNotFired.Error() + ": no command" }, fine}, results.Holds, "fault did not fire: no command"},
		{"needs what there is not", []func(*promise.Saw){func(saw *promise.Saw) { saw.Missing = "needs a container" }}, results.NotRun, ""},
		{"right", []func(*promise.Saw){fine}, results.Holds, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			const name = "paths"
			real := promise.All[name]
			defer func() { promise.All[name] = real }()
			looks := 0
			promise.All[name] = func(_ context.Context, _ *world.Lab, saw *promise.Saw) error {
				looks++
				c.looks[looks-1](saw)
				return nil
			}
			stage, _ := matrix.FindStage("08")
			o := Options{Only: []string{name}, Progress: func(string) {}}
			b := &build{stage: stage}
			found := b.blank(o)
			s := &session{Options: o, build: b, data: []dataset.Data{dataset.Teaching()}, dirs: []string{""}, found: &found}
			var group errgroup.Group
			s.schedule(t.Context(), &group)
			_ = group.Wait()
			s.lookAgain(t.Context())
			if p := found.Promises[0]; p.Verdict != c.want || p.Again != c.again || looks != len(c.looks) {
				t.Errorf("%d looks, %s, again %q; want %d, %s, %q", looks, p.Verdict, p.Again, len(c.looks), c.want, c.again)
			}
		})
	}
}
