package grade

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What a submission may hold.
const (
	maxFiles = 20_000
	maxBytes = 256 << 20
)

// errSources marks a folder that cannot be graded as it is: the submission's fault.
var errSources = errors.New("the submission cannot be copied")

// copyTree copies the files of a folder into another one, which must be empty. Left
// out are folders that begin with a dot, as they are left out of the digest. What is
// neither a regular file nor a folder is refused: a symbolic link would bring files of
// the grader's machine into the submission.
func copyTree(from, to string) error {
	root, err := os.OpenRoot(from) // no path below it leads out of it, whatever changes meanwhile
	if err != nil {
		return err
	}
	defer root.Close()
	files, size := 0, int64(0)
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(to, filepath.FromSlash(name))
		switch {
		case name == ".":
			return nil
		case entry.IsDir() && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case entry.IsDir():
			return os.Mkdir(target, 0o755)
		case !entry.Type().IsRegular():
			return fmt.Errorf("%w: %s is %s; allowed are regular files and folders", errSources, name, kindOf(entry.Type()))
		}
		if files++; files > maxFiles {
			return fmt.Errorf("%w: it holds more than %d files", errSources, maxFiles)
		}
		n, err := copyFile(root, name, target, maxBytes-size)
		if size += n; size > maxBytes {
			return fmt.Errorf("%w: it holds more than %d MiB", errSources, maxBytes>>20)
		}
		return err
	})
}

// copyFile copies most+1 bytes at most and says how many it were.
func copyFile(root *os.Root, name, target string, most int64) (n int64, err error) {
	source, err := root.Open(name)
	if err != nil {
		return 0, err
	}
	defer source.Close()
	info, err := source.Stat()
	if err != nil {
		return 0, err
	}
	copied, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, readable(info.Mode()))
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(copied, io.LimitReader(source, most+1))
	return n, errors.Join(err, copied.Close())
}

// readable is the mode of a copy: it is run by another user if it is isolated, and lies where
// nobody but the grader gets to otherwise.
func readable(mode fs.FileMode) fs.FileMode {
	if mode&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "no regular file"
}
