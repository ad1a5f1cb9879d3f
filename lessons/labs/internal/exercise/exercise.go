// Package exercise hands out the exercises of the labs and checks what learners made of them.
//
// An exercise is a folder <lab>/testdata/exercises/<name> with
//
//	starter/       what the learner gets: it compiles, and its check fails
//	solution/      the same files, done: the check passes
//	check_test.go  the check, as a test of whichever of these folders it is laid into
//	starter.golden what the learner reads when nothing has been done yet; there may be one of the
//	               solution, if its check has more to say
//	wrong/         if it is there: attempts that go astray, and what their learners read
//
// The learner's copy of the starter is work/<lab>/<name>, and it is the learner's: no file that is
// there is ever written over, except for the check.
package exercise

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	exercises = "testdata/exercises"
	checkFile = "check_test.go"
	starter   = "starter"
	solution  = "solution"
	wrong     = "wrong"
	work      = "work"
)

// Exercise is one task of a lab.
type Exercise struct {
	Lab, Name string
	root      string // the folder of the labs
}

func (e Exercise) String() string { return e.Lab + "/" + e.Name }

// Work is the learner's folder.
func (e Exercise) Work() string { return filepath.Join(e.root, work, e.Lab, e.Name) }

func (e Exercise) source(part string) string {
	return filepath.Join(e.root, e.Lab, exercises, e.Name, part)
}

// Labs are the names of the labs in the folder root that have exercises, sorted.
func Labs(root string) ([]string, error) {
	found, err := filepath.Glob(filepath.Join(root, "*", exercises))
	if err != nil {
		return nil, fmt.Errorf("look for labs: %w", err)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no lab in %s: run it in lessons/labs", root)
	}
	var labs []string
	for _, folder := range found {
		relative, err := filepath.Rel(root, folder)
		if err != nil {
			return nil, fmt.Errorf("look for labs: %w", err)
		}
		lab, _, _ := strings.Cut(relative, string(filepath.Separator))
		labs = append(labs, lab)
	}
	return labs, nil
}

// ErrUnknown is the answer to the name of a lab or an exercise that there is none of.
var ErrUnknown = errors.New("no such")

// Of are the exercises of a lab, sorted by name.
func Of(root, lab string) ([]Exercise, error) {
	labs, err := Labs(root)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(labs, lab) {
		return nil, fmt.Errorf("%w lab: %q; there are %s", ErrUnknown, lab, strings.Join(labs, ", "))
	}
	folders, err := os.ReadDir(filepath.Join(root, lab, exercises))
	if err != nil {
		return nil, fmt.Errorf("exercises of %s: %w", lab, err)
	}
	var found []Exercise
	for _, folder := range folders {
		if folder.IsDir() {
			found = append(found, Exercise{Lab: lab, Name: folder.Name(), root: root})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("lab %s has no exercises", lab)
	}
	return found, nil
}

// HandOut makes sure that the learner's folder holds all files of the starter, and the check as it
// is now.
func (e Exercise) HandOut() error {
	if err := os.MkdirAll(e.Work(), 0o755); err != nil {
		return fmt.Errorf("hand out %s: %w", e, err)
	}
	files, err := os.ReadDir(e.source(starter))
	if err != nil {
		return fmt.Errorf("hand out %s: %w", e, err)
	}
	for _, file := range files {
		err := copyNew(filepath.Join(e.source(starter), file.Name()), filepath.Join(e.Work(), file.Name()))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("hand out %s: %w", e, err)
		}
	}
	check, err := os.ReadFile(e.source(checkFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(e.Work(), checkFile), check, 0o644)
	}
	if err != nil {
		return fmt.Errorf("hand out %s: %w", e, err)
	}
	return nil
}

// copyNew copies a file to a name that nothing has yet. A copy that fails half-way is not left
// there, as the next call would take it for the learner's.
func copyNew(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}
