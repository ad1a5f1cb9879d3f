package runner

import (
	"regexp"
	"strings"
)

// plainPath needs no quotes in a shell.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9_./-]+$`)

// replay is the command that runs a stage of the workbook again, or the one in a folder.
func replay(stage, dir string) string {
	command := ".build/harness run " + stage
	switch {
	case dir == "":
		return command
	case plainPath.MatchString(dir):
		return command + " --dir " + dir
	}
	return command + " --dir '" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
}
