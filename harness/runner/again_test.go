package runner

import (
	"context"
	"errors"
	"fmt"
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
	type look func(*promise.Saw) error
	late := func(saw *promise.Saw) error { saw.Soon(false, "answer", "at once", "much later"); return nil }
	wrong := func(saw *promise.Saw) error { saw.Equal("stock", 20, 32); return nil }
	unproven := func(*promise.Saw) error { return fmt.Errorf("%w: no command", world.ErrNotFired) }
	fine := func(*promise.Saw) error { return nil }
	for _, c := range []struct {
		name  string
		looks []look // a further one would be out of range
		want  results.Verdict
		again string
	}{
		{"late once", []look{late, fine}, results.Holds, "answer: much later"},
		{"late twice", []look{late, late}, results.Broken, "answer: much later"},
		{"late, then wrong", []look{late, wrong}, results.Broken, "answer: much later"},
		{"wrong", []look{wrong}, results.Broken, ""},
		{"late and wrong", []look{func(saw *promise.Saw) error { return errors.Join(late(saw), wrong(saw)) }}, results.Broken, ""},
		{"fault did not fire", []look{unproven, fine}, results.Holds, "fault did not fire: no command"},
		{"needs what there is not", []look{func(saw *promise.Saw) error { saw.Missing = "needs a container"; return nil }}, results.NotRun, ""},
		{"right", []look{fine}, results.Holds, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			const name = "paths"
			real := promise.All[name]
			defer func() { promise.All[name] = real }()
			looks := 0
			promise.All[name] = func(_ context.Context, _ *world.Lab, saw *promise.Saw) error {
				looks++
				return c.looks[looks-1](saw)
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
