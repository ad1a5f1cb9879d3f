package isolate

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// What a build may leave.
const (
	maxBuiltFiles = 50_000
	maxBuiltBytes = buildSpace
)

// unpack unpacks the archive of somebody whom nobody trusts into an empty folder: no path
// leads out of it, links are made and never followed, and everybody may read everything.
func unpack(from io.Reader, to string) error {
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	archive := tar.NewReader(from)
	left := int64(maxBuiltBytes)
	for files := 0; ; files++ {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, io.LimitReader(from, 1<<20)) // the padding, so that its writer is not stopped
			return err
		}
		if err != nil {
			return err
		}
		if files == maxBuiltFiles {
			return fmt.Errorf("it holds more than %d files", maxBuiltFiles)
		}
		if left -= header.Size; left < 0 || header.Size < 0 {
			return fmt.Errorf("it holds more than %d MiB", maxBuiltBytes>>20)
		}
		name := filepath.FromSlash(header.Name)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q is no path in it", header.Name)
		}
		if err := unpackOne(root, archive, header, name); err != nil {
			return err
		}
	}
}

func unpackOne(root *os.Root, content io.Reader, header *tar.Header, name string) error {
	switch header.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o755)
	case tar.TypeSymlink:
		return root.Symlink(header.Linkname, name)
	case tar.TypeReg:
		mode := os.FileMode(0o644)
		if header.Mode&0o111 != 0 {
			mode = 0o755
		}
		file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	}
	return fmt.Errorf("%q is no regular file, folder or symbolic link", header.Name)
}
