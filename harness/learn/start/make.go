package start

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	// ErrExists means that there is something in the place of the folder. It is never
	// written over.
	ErrExists = errors.New("it is there already")
	// ErrNoFile means that a plan has no such file.
	ErrNoFile = errors.New("it is no file of this stage's start")
)

// Make writes the plan as a new folder dir, as a whole or not at all.
func (p Plan) Make(dir string) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("make %s: %w", dir, ErrExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	draft, err := os.MkdirTemp(parent, ".start-")
	if err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	defer os.RemoveAll(draft)
	for _, f := range p.Files {
		place := filepath.Join(draft, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
		if err := os.WriteFile(place, f.Content, 0o644); err != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
	}
	if err := os.Chmod(draft, 0o755); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	err = os.Rename(draft, dir)
	if errors.Is(err, fs.ErrExist) { // somebody else was quicker
		return fmt.Errorf("make %s: %w", dir, ErrExists)
	}
	if err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	return nil
}

// Changed says whether the file in dir is another one than in the plan, or is not
// there. ErrNoFile, wrapped, if the plan has no such file.
func (p Plan) Changed(dir, name string) (bool, error) {
	f, ok := p.File(name)
	if !ok {
		return false, fmt.Errorf("%s: %w; it has %s", name, ErrNoFile, strings.Join(p.names(), ", "))
	}
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", name, err)
	}
	return !bytes.Equal(content, f.Content), nil
}

// Reset puts one file back as it was at the start, and touches no other.
func (p Plan) Reset(dir, name string) error {
	if _, err := p.Changed(dir, name); err != nil {
		return err
	}
	f, _ := p.File(name)
	place := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return fmt.Errorf("reset %s: %w", name, err)
	}
	draft, err := os.CreateTemp(filepath.Dir(place), ".start-*")
	if err != nil {
		return fmt.Errorf("reset %s: %w", name, err)
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(f.Content)
	if err := errors.Join(err, draft.Chmod(0o644), draft.Close()); err != nil {
		return fmt.Errorf("reset %s: %w", name, err)
	}
	if err := os.Rename(draft.Name(), place); err != nil {
		return fmt.Errorf("reset %s: %w", name, err)
	}
	return nil
}

func (p Plan) names() []string {
	var names []string
	for _, f := range p.Files {
		names = append(names, f.Name)
	}
	return names
}

func sortByID(todos []Todo) {
	slices.SortFunc(todos, func(a, b Todo) int { return strings.Compare(a.ID, b.ID) })
}
