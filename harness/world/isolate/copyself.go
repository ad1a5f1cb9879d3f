package isolate

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// copyInside copies the program that will be the containers' first process, so that it can
// be read by their user and stays as it is while a grade goes on. An image need not hold
// the libraries of a program that is linked dynamically.
func (i *Isolation) copyInside() (err error) {
	from := i.Options.Inside
	if from == "" {
		if from, err = os.Executable(); err != nil {
			return fmt.Errorf("find the harness itself: %w", err)
		}
	}
	static, err := isStatic(from)
	if err != nil {
		return fmt.Errorf("look at %s: %w", from, err)
	}
	if !static {
		return fmt.Errorf("%s is linked dynamically and cannot run in a container of any image; allowed is a harness built with CGO_ENABLED=0, as `make .build/harness` does", from)
	}
	source, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copy the harness: %w", err)
	}
	defer source.Close()
	target, err := os.OpenFile(i.insidePath(), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("copy the harness: %w", err)
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Chmod(0o755), target.Close())
}

func (i *Isolation) insidePath() string { return filepath.Join(i.work, "inside") }

// isStatic says whether a program names no interpreter, the loader of its libraries.
func isStatic(path string) (bool, error) {
	file, err := elf.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	for _, part := range file.Progs {
		if part.Type == elf.PT_INTERP {
			return false, nil
		}
	}
	return true, nil
}
