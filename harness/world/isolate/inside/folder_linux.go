package inside

import (
	"archive/tar"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// copyTree copies the content of a folder into one that is there already. The files of a
// submission are regular files and folders.
func copyTree(from, to string) error { return os.CopyFS(to, os.DirFS(from)) }

// pack writes a folder as a tar archive. What is neither a file, a folder nor a symbolic
// link is left out.
func pack(dir string, out io.Writer) error {
	archive := tar.NewWriter(out)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		link := ""
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			if link, err = os.Readlink(path); err != nil {
				return err
			}
		case !info.IsDir() && !info.Mode().IsRegular():
			return nil
		}
		header, err := tar.FileInfoHeader(info, link)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		header.Name = filepath.ToSlash(name)
		if err := archive.WriteHeader(header); err != nil || !info.Mode().IsRegular() {
			return err
		}
		return packFile(archive, path)
	})
	if err != nil {
		return err
	}
	return archive.Close()
}

func packFile(archive *tar.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(archive, file)
	return err
}
