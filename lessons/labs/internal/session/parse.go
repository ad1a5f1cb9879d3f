// Package session plays the sessions with Redis that the lessons show, and compares the answers.
//
//	> SET stock:lamp 8
//	OK
//	$ redis-cli --eval labs/lua/scripts/reserve.lua stock:lamp , 3
//	1) (integer) 1
//	2) (integer) 5
//
// A line with > is a command as it is typed into redis-cli. A line with $ runs a script's file, as it is
// typed into a shell; its path is seen from the lesson. A> and B> are two clients, each with a connection
// of its own. The lines below, up to the next command, are the answer as redis-cli shows it to a person.
package session

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Step is one command and the answer that is shown for it.
type Step struct {
	Line   int    // from 1, in the session
	Typed  string // the whole line
	Client string // A, B, or empty
	Args   []string
	Want   string // without the last line's end
}

var (
	prompt = regexp.MustCompile(`^([A-Z]?)> (.+)$`)
	shell  = regexp.MustCompile(`^\$ (.+)$`)
)

// Parse reads a session. Paths in it are seen from folder.
func Parse(text, folder string) ([]Step, error) {
	var steps []Step
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		var args []string
		var client string
		var err error
		if typed := prompt.FindStringSubmatch(line); typed != nil {
			client = typed[1]
			args, err = split(typed[2])
		} else if typed := shell.FindStringSubmatch(line); typed != nil {
			args, err = evalFile(typed[1], folder)
		} else if len(steps) == 0 {
			err = fmt.Errorf("a session begins with a command, such as > PING")
		} else {
			last := &steps[len(steps)-1]
			last.Want = strings.TrimPrefix(last.Want+"\n"+line, "\n")
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the session, %s: %w", i+1, line, err)
		}
		steps = append(steps, Step{Line: i + 1, Typed: line, Client: client, Args: args})
	}
	for _, step := range steps {
		if step.Want == "" {
			return nil, fmt.Errorf("line %d of the session, %s: no answer is shown", step.Line, step.Typed)
		}
	}
	return steps, nil
}

// evalFile makes an EVAL of redis-cli --eval FILE KEY... , VALUE...
func evalFile(typed, folder string) ([]string, error) {
	words, err := split(typed)
	if err != nil {
		return nil, err
	}
	if len(words) < 3 || words[0] != "redis-cli" || words[1] != "--eval" {
		return nil, fmt.Errorf("of the shell only redis-cli --eval FILE KEY... , VALUE... is known")
	}
	script, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(words[2])))
	if err != nil {
		return nil, err
	}
	keys, values := words[3:], []string(nil)
	for i, word := range keys {
		if word == "," {
			keys, values = keys[:i], keys[i+1:]
			break
		}
	}
	args := append([]string{"EVAL", string(script), fmt.Sprint(len(keys))}, keys...)
	return append(args, values...), nil
}
