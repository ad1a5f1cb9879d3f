package runner

import (
	"errors"

	"example.com/importer/harness/results"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
)

// kindOf tells which sort of failure a fault of the program is.
func kindOf(err error) results.Kind {
	var line *program.WrongLineError
	switch {
	case errors.Is(err, program.ErrNoLine), errors.As(err, &line):
		return results.NeverListened
	case world.Crashed(err):
		return results.Crash
	case world.Late(err):
		return results.Timeout
	}
	return results.WrongAnswer
}

// kindOfFinding does the same for what a check has noted.
func kindOfFinding(f results.Finding) results.Kind {
	if f.Timing {
		return results.Timeout
	}
	return results.WrongAnswer
}
