package law_test

import (
	"fmt"

	"example.com/importer/lessons/labs/law"
)

func show(name string, holds bool) {
	fmt.Printf("%-28s %v\n", name, map[bool]string{true: "no counterexample", false: "fails"}[holds])
}

func lawOf[S any](c law.Counterexample[S], found bool) bool { return !found }

func Example_table() {
	show("set a title", lawOf(law.Find(law.Articles(), law.SetTitle("Spring"))))
	show("count a view", lawOf(law.Find(law.Articles(), law.CountView)))
	show("create an article", lawOf(law.Find(law.Blogs(), law.Create("Spring"))))
	show("ensure there is an article", lawOf(law.Find(law.Blogs(), law.Ensure("a", "Spring"))))
	show("announce, letters left out", lawOf(law.Find(law.Blogs(), withoutLetters(law.Announce("a", "Spring")))))
	show("announce, letters in", lawOf(law.Find(law.Blogs(), law.Announce("a", "Spring"))))
	// Output:
	// set a title                  no counterexample
	// count a view                 fails
	// create an article            fails
	// ensure there is an article   no counterexample
	// announce, letters left out   no counterexample
	// announce, letters in         fails
}

func ExampleFind_counter() {
	c, found := law.Find(law.Articles(), law.CountView)
	fmt.Println("found:", found)
	fmt.Println("views before:", c.State.Views)
	fmt.Println("views once:  ", c.Once.Views)
	fmt.Println("views twice: ", c.Twice.Views)
	// Output:
	// found: true
	// views before: 0
	// views once:   1
	// views twice:  2
}

func ExampleFindMutation() {
	count := law.CountViewInPlace("a")
	_, found := law.Find(law.Blogs(), count)
	fmt.Println("the law is seen to fail:", found)
	before, after, found := law.FindMutation(law.Blogs(), count)
	fmt.Println("the input is seen to change:", found)
	fmt.Println("views of its article before:", before.Articles["a"].Views)
	fmt.Println("views of its article after: ", after.Articles["a"].Views)
	// Output:
	// the law is seen to fail: false
	// the input is seen to change: true
	// views of its article before: 0
	// views of its article after:  1
}

func ExampleTransition_order() {
	spring, autumn := law.SetTitle("Spring"), law.SetTitle("Autumn")
	fmt.Println(autumn(spring(law.Article{})).Title)
	fmt.Println(spring(autumn(law.Article{})).Title)
	// Output:
	// Autumn
	// Spring
}

func ExampleHandle() {
	b := law.Ensure("a", "Spring")(law.Blog{})
	for range 2 {
		var status int
		b, status = law.Handle(b, "a")
		fmt.Println("status", status, "and articles left:", len(b.Articles))
	}
	// Output:
	// status 204 and articles left: 0
	// status 404 and articles left: 0
}

// The notification comes once, and then it comes twice with a reader in between.
func ExampleInvalidate() {
	for _, times := range []int{1, 2} {
		c := law.Catalogue{Stored: "new", Copy: "old", Good: true}
		var shown string
		for range times {
			c, shown = law.Show(law.Invalidate(c))
		}
		fmt.Println("notified:", times, "shown:", shown, "reads:", c.Reads)
	}
	// Output:
	// notified: 1 shown: new reads: 1
	// notified: 2 shown: new reads: 2
}
