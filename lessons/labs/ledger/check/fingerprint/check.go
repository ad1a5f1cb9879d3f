// Package fingerprint is the check of the exercise of this name.
package fingerprint

import (
	"fmt"
	"testing"

	"example.com/importer/lessons/labs/internal/exercise"
)

// Check checks a fingerprint of orders {"sku":text,"quantity":number}, where a missing quantity
// means 1.
func Check(t *testing.T, fingerprint func([]byte) (string, error)) {
	t.Helper()
	const lesson = "unknown-results.md#the-same-key-and-another-input"
	of := func(input string) string {
		t.Helper()
		f, err := fingerprint([]byte(input))
		if err != nil {
			t.Fatal(exercise.Finding{
				Expected: "a fingerprint of " + input, Seen: "error: " + err.Error(),
				Because: "it is an order as agreed", Lesson: lesson,
			})
		}
		return f
	}
	const order, single = `{"sku":"lamp","quantity":2}`, `{"sku":"lamp","quantity":1}`
	for _, c := range []struct{ a, b, why string }{
		{order, order, "one text has one fingerprint"},
		{order, `{"quantity":2,"sku":"lamp"}`, "the order of names says nothing"},
		{order, "{ \"sku\" : \"lamp\",\n  \"quantity\" : 2 }\n", "white space says nothing"},
		{order, `{"sku":"l\u0061mp","quantity":2}`, "\\u0061 is another way to write a"},
		{single, `{"sku":"lamp"}`, "a missing quantity means 1, so both are the same order"},
	} {
		if of(c.a) != of(c.b) {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("one fingerprint for %#q and %#q", c.a, c.b),
				Seen:     "two",
				Because:  c.why + ": a client that repeats an order in other words would be refused",
				Hint:     "take the fingerprint of what was understood, and not of the bytes that came",
				Lesson:   lesson,
			})
		}
	}
	for _, other := range []string{single, `{"sku":"lamp2","quantity":2}`, `{"sku":"lam","quantity":2}`, `{"sku":"","quantity":2}`, `{"sku":"lamp\"","quantity":2}`} {
		if of(order) == of(other) {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("two fingerprints for %#q and %#q", order, other),
				Seen:     "one",
				Because:  "a corrected order with an old key would be given the old result",
				Hint:     "everything that is in the order has to be in what is hashed",
				Lesson:   lesson,
			})
		}
	}
	for _, broken := range []string{"", "{", `{"sku":1}`, `[]`} {
		if f, err := fingerprint([]byte(broken)); err == nil {
			t.Fatal(exercise.Finding{
				Expected: fmt.Sprintf("an error for %#q", broken), Seen: "the fingerprint " + f,
				Because: "what was not understood has no meaning to compare", Lesson: lesson,
			})
		}
	}
}
