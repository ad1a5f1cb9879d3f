package law

import (
	"flag"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"pgregory.net/rapid"
)

// A counterexample that was looked for is a find and no failure to be kept in a file.
func init() {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		panic(fmt.Sprintf("rapid has lost a flag: %v", err))
	}
}

// Find looks for a state where the law fails and makes the one it finds as small as it can. That it
// finds none is no proof that there is none.
//
// It works inside `go test` only, as rapid does.
func Find[S any](states *rapid.Generator[S], f Transition[S]) (smallest Counterexample[S], found bool) {
	found = Falsify(func(t *rapid.T) {
		c, holds := f.At(states.Draw(t, "state"))
		if !holds {
			smallest = c
			t.Fatal("the law fails")
		}
	})
	return smallest, found
}

// Cloner is a state that can make a copy of itself that shares nothing with it.
type Cloner[S any] interface{ Clone() S }

// FindMutation looks for a state that f changes in place instead of returning another one. For such
// an f the law means nothing: "once" may be the same map as "twice", and a thing is always equal to
// itself.
func FindMutation[S Cloner[S]](states *rapid.Generator[S], f Transition[S]) (before, after S, found bool) {
	found = Falsify(func(t *rapid.T) {
		s := states.Draw(t, "state")
		kept := s.Clone()
		f(s)
		if !Same(kept, s) {
			before, after = kept, s
			t.Fatal("the input was changed")
		}
	})
	return before, after, found
}

// Falsify says whether rapid finds an input for which the property fails. The last input that it
// calls the property with is then the smallest one that it came to. It panics if the property does, or
// if too few inputs can be drawn: then nothing was found out.
func Falsify(property func(*rapid.T)) bool {
	var search search
	falsified := false
	watched := func(t *rapid.T) {
		defer func() { falsified = falsified || t.Failed() }()
		property(t)
	}
	var done sync.WaitGroup
	done.Go(func() { rapid.Check(&search, watched) }) // of its own, as FailNow ends it
	done.Wait()
	if search.failed && !falsified {
		panic(counted.ReplaceAllString(search.said, ""))
	}
	return falsified
}

// counted is what rapid says of a panic before the panic's own words. How many tests it took is chance.
var counted = regexp.MustCompile(`^\[rapid\] panic after \d+ tests: `)

// search is a test that fails in silence and remembers why.
type search struct {
	failed bool
	said   string
}

func (s *search) Helper()                            {}
func (s *search) Name() string                       { return "search" }
func (s *search) Logf(string, ...any)                {}
func (s *search) Log(...any)                         {}
func (s *search) Skipf(string, ...any)               { s.SkipNow() }
func (s *search) Skip(...any)                        { s.SkipNow() }
func (s *search) SkipNow()                           { runtime.Goexit() }
func (s *search) Error(words ...any)                 { s.say(fmt.Sprint(words...)) }
func (s *search) Fatal(words ...any)                 { s.say(fmt.Sprint(words...)); s.FailNow() }
func (s *search) Errorf(format string, words ...any) { s.say(fmt.Sprintf(format, words...)) }
func (s *search) Fatalf(format string, words ...any) {
	s.say(fmt.Sprintf(format, words...))
	s.FailNow()
}
func (s *search) Fail()        { s.failed = true }
func (s *search) Failed() bool { return s.failed }
func (s *search) FailNow()     { s.Fail(); runtime.Goexit() }

// say keeps the first words; what comes after them is where in the code it was.
func (s *search) say(words string) {
	if !s.failed {
		s.said, _, _ = strings.Cut(words, "\n")
	}
	s.Fail()
}
