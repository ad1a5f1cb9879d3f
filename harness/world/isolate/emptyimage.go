package isolate

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"

	"example.com/importer/harness/world/engine"
)

// EmptyImage is the image for programs that need nothing but themselves. It is made on the
// spot where it is missing, out of nothing: no registry is asked.
const EmptyImage = "importer-empty:1"

func (i *Isolation) needEmptyImage(ctx context.Context) error {
	_, err := i.docker.ImageInspect(ctx, EmptyImage)
	if err == nil {
		return nil
	}
	if !errdefs.IsNotFound(err) {
		return engine.Unavailable("image "+EmptyImage+" cannot be looked for", err)
	}
	i.Progress("making the image " + EmptyImage)
	content, err := emptySystem()
	if err != nil {
		return err
	}
	answer, err := i.docker.ImageImport(ctx, client.ImageImportSource{Source: content, SourceName: "-"}, EmptyImage,
		client.ImageImportOptions{Message: "an empty system, for programs that need nothing"})
	if err != nil {
		return engine.Unavailable("image "+EmptyImage+" cannot be made", err)
	}
	defer answer.Close()
	if _, err := io.Copy(io.Discard, answer); err != nil {
		return engine.Unavailable("image "+EmptyImage+" cannot be made", err)
	}
	return nil
}

// emptySystem is a tar archive of what a system has at least.
func emptySystem() (io.Reader, error) {
	var content bytes.Buffer
	archive := tar.NewWriter(&content)
	// What is mounted at /tmp gets the mode that /tmp has here.
	for name, mode := range map[string]int64{"etc/": 0o755, "tmp/": 0o1777} {
		if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name, Mode: mode}); err != nil {
			return nil, fmt.Errorf("pack the empty image: %w", err)
		}
	}
	users := []byte("nobody:x:65534:65534:nobody:/tmp:/none\n")
	if err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "etc/passwd", Mode: 0o644, Size: int64(len(users))}); err != nil {
		return nil, fmt.Errorf("pack the empty image: %w", err)
	}
	if _, err := archive.Write(users); err != nil {
		return nil, fmt.Errorf("pack the empty image: %w", err)
	}
	return &content, archive.Close()
}
