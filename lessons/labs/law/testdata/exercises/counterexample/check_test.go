// The check of this exercise. It is written anew whenever make lab runs; yours is the other file.

package counterexample

import (
	"testing"

	"example.com/importer/lessons/labs/law/check"
)

func TestCount(t *testing.T) {
	check.Counterexample(t, "Count", Count, OfCount(), func(views int) (int, bool) { return 0, views != 0 })
}

func TestPromote(t *testing.T) {
	check.Counterexample(t, "Promote", Promote, OfPromote(), func(s Step) (Step, bool) { return Draft, s != Draft })
}
