// Package sources knows the bytes that a stage is made of.
package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Digest is over the path and the bytes of every file in a stage's folder, in
// the order of the paths: change, add, remove or rename one, and it differs.
// Left out are what begins with a dot, and the built program, which would make
// a stage change by being built. The form is "sha256:" and 64 hex digits.
func Digest(dir string) (string, error) {
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
		case name != "." && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir(), name == "importer", !entry.Type().IsRegular():
			return nil
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
