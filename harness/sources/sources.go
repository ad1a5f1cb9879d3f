// Package sources knows the bytes that a stage is made of.
package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// ErrOutside means that a stage is built from bytes that do not lie in its folder,
// so that no digest of the folder could tell when they change.
var ErrOutside = errors.New("a stage must be made of regular files in its own folder and of published modules")

// Digest is over the path and the bytes of every file in a stage's folder, in the
// order of the paths: change, add, remove or rename one, and it differs. Left out
// are folders that begin with a dot, which the go tool does not look into, and the
// built program, which would make a stage change by being built. The form is
// "sha256:" and 64 hex digits.
func Digest(dir string) (string, error) {
	if err := replacesNothingLocal(filepath.Join(dir, "go.mod")); err != nil {
		return "", err
	}
	return tree(dir, "importer")
}

// LabsDigest is the same over the lessons and labs, without what a learner writes there.
// Without lessons it is empty.
func LabsDigest(lessons string) (string, error) {
	if _, err := os.Stat(lessons); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return tree(lessons, "labs/work")
}

// tree is the digest of a folder without one file or folder in it.
func tree(dir, without string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		switch {
		case filepath.ToSlash(name) == without && entry.IsDir():
			return fs.SkipDir
		case entry.IsDir():
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		case name == without:
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%w: %s is none", ErrOutside, name)
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		content := sha256.New()
		if _, err := io.Copy(content, file); err != nil {
			return err
		}
		// Each line is of one file, so no two folders can run into the same text.
		fmt.Fprintf(sum, "%x %q\n", content.Sum(nil), filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		return "", fmt.Errorf("digest of the sources in %s: %w", dir, err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// replacesNothingLocal looks for a replace of a module by a folder. A stage in
// another language has no go.mod, and nothing to look for.
func replacesNothingLocal(path string) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the module file: %w", err)
	}
	module, err := modfile.Parse(path, content, nil)
	if err != nil {
		return nil // the compiler will have more to say about it
	}
	for _, r := range module.Replace {
		if r.New.Version == "" {
			return fmt.Errorf("%w: %s replaces %s by the folder %s", ErrOutside, path, r.Old.Path, r.New.Path)
		}
	}
	return nil
}
