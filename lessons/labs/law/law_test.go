package law_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/importer/lessons/labs/law"
)

// holds fails for the smallest state that it finds where the law does not hold.
func holds[S any](t *testing.T, states *rapid.Generator[S], f law.Transition[S]) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		c, holds := f.At(states.Draw(t, "state"))
		if !holds {
			t.Fatalf("the second time makes a difference (-once +twice):\n%s", law.Difference(c.Once, c.Twice))
		}
	})
}

func TestTitleHolds(t *testing.T) {
	for _, title := range []string{"", "Spring", "Spring ", "Frühling", "a\x00b", "'; DROP TABLE articles"} {
		holds(t, law.Articles(), law.SetTitle(title))
	}
}

func TestAnyTitleHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := law.SetTitle(rapid.String().Draw(t, "title"))
		if _, holds := f.At(law.Articles().Draw(t, "article")); !holds {
			t.Fatal("the second time makes a difference")
		}
	})
}

func TestCounterFails(t *testing.T) {
	smallest, found := law.Find(law.Articles(), law.CountView)
	if !found {
		t.Fatal("no counterexample was found for the counter")
	}
	want := law.Counterexample[law.Article]{Once: law.Article{Views: 1}, Twice: law.Article{Views: 2}}
	if !law.Same(want, smallest) {
		t.Errorf("not the smallest counterexample (-want +got):\n%s", law.Difference(want, smallest))
	}
}

func TestCreateFailsAndEnsureHolds(t *testing.T) {
	smallest, found := law.Find(law.Blogs(), law.Create("Spring"))
	if !found {
		t.Fatal("no counterexample was found for Create")
	}
	if got := [3]int{len(smallest.State.Articles), len(smallest.Once.Articles), len(smallest.Twice.Articles)}; got != [3]int{0, 1, 2} {
		t.Errorf("articles before, once, twice: %v, want 0, 1, 2", got)
	}
	holds(t, law.Blogs(), law.Ensure("a", "Spring"))
	holds(t, law.Blogs(), law.Remove("a"))
}

// Ensure has to do something, or the law would hold for a reason that is worth nothing.
func TestEnsureEnsures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := law.Blogs().Draw(t, "blog")
		after := law.Ensure("a", "Spring")(before)
		was, existed := before.Articles["a"]
		want := law.Article{Title: "Spring"}
		if existed {
			want = was
		}
		if got, exists := after.Articles["a"]; !exists || !law.Same(want, got) {
			t.Fatalf("there: %v (-want +got):\n%s", exists, law.Difference(want, got))
		}
	})
}

func TestInputsStay(t *testing.T) {
	for name, f := range map[string]law.Transition[law.Blog]{
		"Create":   law.Create("Spring"),
		"Ensure":   law.Ensure("a", "Spring"),
		"Remove":   law.Remove("a"),
		"Announce": law.Announce("a", "Spring"),
	} {
		if before, after, found := law.FindMutation(law.Blogs(), f); found {
			t.Errorf("%s changes its input (-before +after):\n%s", name, law.Difference(before, after))
		}
	}
	for name, f := range map[string]law.Transition[law.Article]{"SetTitle": law.SetTitle("Spring"), "CountView": law.CountView} {
		if _, _, found := law.FindMutation(law.Articles(), f); found {
			t.Errorf("%s changes its input", name)
		}
	}
}

// A counter that works in place passes the test of the law, as it compares a map with itself.
func TestMutationHidesTheCounter(t *testing.T) {
	count := law.CountViewInPlace("a")
	holds(t, law.Blogs(), count)
	before, after, found := law.FindMutation(law.Blogs(), count)
	if !found {
		t.Fatal("the change of the input was not found")
	}
	want := law.Blog{Articles: map[string]law.Article{"a": {}}}
	if !law.Same(want, before) || after.Articles["a"].Views != 1 {
		t.Errorf("smallest: before %+v, after %+v", before, after)
	}
}

func TestMutationOfASlice(t *testing.T) {
	holds(t, law.Articles(), law.SortTagsInPlace)
	before, after, found := law.FindMutation(law.Articles(), law.SortTagsInPlace)
	if !found {
		t.Fatal("the change of the input was not found")
	}
	// Which two tags rapid ends with is its affair.
	if len(before.Tags) != 2 || before.Tags[0] <= before.Tags[1] {
		t.Errorf("tags before: %q, want two in the wrong order", before.Tags)
	}
	if want := []string{before.Tags[1], before.Tags[0]}; !slices.Equal(want, after.Tags) {
		t.Errorf("tags after: %q, want %q", after.Tags, want)
	}
}

// withoutLetters is the model that leaves out what went to the readers.
func withoutLetters(f law.Transition[law.Blog]) law.Transition[law.Blog] {
	return func(b law.Blog) law.Blog {
		b = f(b)
		b.Letters = nil
		return b
	}
}

func TestLettersBelongToTheState(t *testing.T) {
	announce := law.Announce("a", "Spring")
	holds(t, law.Blogs(), withoutLetters(announce))
	smallest, found := law.Find(law.Blogs(), announce)
	if !found {
		t.Fatal("letters are in the state, and the law was not seen to fail")
	}
	if once, twice := len(smallest.Once.Letters), len(smallest.Twice.Letters); once != 1 || twice != 2 {
		t.Errorf("letters once %d, twice %d, want 1 and 2", once, twice)
	}
}

func TestTitlesDoNotCommute(t *testing.T) {
	spring, autumn := law.SetTitle("Spring"), law.SetTitle("Autumn")
	holds(t, law.Articles(), spring)
	holds(t, law.Articles(), autumn)
	rapid.Check(t, func(t *rapid.T) {
		a := law.Articles().Draw(t, "article")
		if law.Same(autumn(spring(a)), spring(autumn(a))) {
			t.Fatal("the order made no difference")
		}
	})
}

func TestAnotherAnswerTheSameEffect(t *testing.T) {
	b := law.Create("Spring")(law.Blog{})
	once, first := law.Handle(b, "made-1")
	twice, second := law.Handle(once, "made-1")
	if diff := cmp.Diff([]int{204, 404}, []int{first, second}); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if !law.Same(once, twice) {
		t.Errorf("effects differ (-once +twice):\n%s", law.Difference(once, twice))
	}
	rapid.Check(t, func(t *rapid.T) {
		once, _ := law.Handle(law.Blogs().Draw(t, "blog"), "a")
		twice, status := law.Handle(once, "a")
		if !law.Same(once, twice) || status != 404 {
			t.Fatalf("the second time: status %d (-once +twice):\n%s", status, law.Difference(once, twice))
		}
	})
}

func TestInvalidateHolds(t *testing.T) {
	holds(t, rapid.Custom(func(t *rapid.T) law.Catalogue {
		return law.Catalogue{
			Stored: rapid.String().Draw(t, "stored"),
			Copy:   rapid.String().Draw(t, "copy"),
			Good:   rapid.Bool().Draw(t, "good"),
		}
	}), law.Invalidate)
}

// What is called the same has to be the same by structure.
func TestSame(t *testing.T) {
	a, b := law.Article{Tags: []string{"x"}}, law.Article{Tags: []string{"x"}}
	if !law.Same(a, b) {
		t.Error("equal tags in two places are not the same")
	}
	if !law.Same(law.Article{}, law.Article{Tags: []string{}}) {
		t.Error("no tags and an empty list of tags are not the same")
	}
	if law.Same(a, law.Article{Tags: []string{"y"}}) {
		t.Error("other tags are the same")
	}
}

// A search that could not be made must not look like one that found nothing, or something.
func TestFalsifyBreaksOff(t *testing.T) {
	for name, c := range map[string]struct {
		property func(*rapid.T)
		want     string
	}{
		"the property panics": {func(*rapid.T) { panic("no such article") }, "no such article"},
		"nothing can be drawn": {func(t *rapid.T) {
			rapid.Int().Filter(func(int) bool { return false }).Draw(t, "none")
		}, "only generated 0 valid tests"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, c.want) {
					t.Errorf("panicked with %q, want %q", said, c.want)
				}
			}()
			t.Errorf("found: %v", law.Falsify(c.property))
		})
	}
	if law.Falsify(func(t *rapid.T) { rapid.Int().Draw(t, "any") }) {
		t.Error("a property that cannot fail has failed")
	}
}
