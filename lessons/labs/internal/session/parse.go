// Package session plays the sessions with Redis that the lessons show, and compares the answers.
//
//	> SET stock:lamp 8
//	OK
//	$ redis-cli --eval labs/lua/scripts/reserve.lua stock:lamp , 3
//	1) (integer) 1
//	2) (integer) 5
//
// A line with > is a command as it is typed into redis-cli. A line with $ is typed into a shell and sends a
// file, whose path is seen from the lesson: a script, or with redis-cli -x COMMAND... < FILE the last
// argument of a command. A> and B> are two clients, each with a connection
// of its own. The lines below, up to the next command, are the answer as redis-cli shows it to a person. A
// line of it that ends with a space and three dots is shortened: the words behind differ from one Redis to
// another, or do not matter.
package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
			args, err = fromFile(typed[1], folder)
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

// fromFile makes a command of one that is typed into a shell.
func fromFile(typed, folder string) ([]string, error) {
	words, err := split(typed)
	if err != nil {
		return nil, err
	}
	read := func(path string) (string, error) {
		content, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
		return string(content), err
	}
	switch last := len(words) - 1; {
	case last >= 2 && words[0] == "redis-cli" && words[1] == "--eval":
		script, err := read(words[2])
		if err != nil {
			return nil, err
		}
		keys, values := words[3:], []string(nil)
		if comma := slices.Index(keys, ","); comma >= 0 {
			keys, values = keys[:comma], keys[comma+1:]
		}
		return slices.Concat([]string{"EVAL", script, strconv.Itoa(len(keys))}, keys, values), nil
	case last >= 4 && words[0] == "redis-cli" && words[1] == "-x" && words[last-1] == "<":
		content, err := read(words[last])
		if err != nil {
			return nil, err
		}
		return append(words[2:last-1], content), nil
	default:
		return nil, errors.New("of the shell only redis-cli --eval FILE KEY... , VALUE... and redis-cli -x COMMAND... < FILE are known")
	}
}
