package check

import (
	"fmt"
	"strings"

	"example.com/importer/harness/results"
)

// Status is run only if all that is declared was executed on a real Redis in a
// container, with evidence, and nothing is broken, but for what the stage does not need.
func Status(s results.Stage, e results.Engine) results.Status {
	var broken, idle []string
	note := func(name string, verdict results.Verdict, optional bool) {
		switch {
		case optional:
		case verdict == results.Broken:
			broken = append(broken, name)
		case verdict == results.NotRun, verdict == results.Error:
			idle = append(idle, name)
		}
	}
	for _, cell := range s.Cells {
		note(cell.Scenario, cell.Verdict, cell.Optional)
	}
	for _, promise := range s.Promises {
		note(promise.Name, promise.Verdict, promise.Optional)
	}
	list := func(names []string) string {
		const most = 4
		if more := len(names) - most; more > 0 {
			names = append(names[:most:most], fmt.Sprintf("and %d more", more))
		}
		return strings.Join(names, ", ")
	}
	switch {
	case s.Fails != "":
		return results.Status{Reason: s.Fails}
	case len(broken) > 0:
		return results.Status{Reason: "broken: " + list(broken)}
	case e.Kind == "miniredis":
		return results.Status{Reason: "rehearsed on miniredis only"}
	case len(idle) > 0:
		return results.Status{Reason: "without proof: " + list(idle)}
	case len(s.Cells) == 0:
		return results.Status{Reason: "nothing was run"}
	case e.Kind != "container":
		return results.Status{Reason: "ran on a server that is not the harness's own container"}
	}
	return results.Status{Run: true}
}
