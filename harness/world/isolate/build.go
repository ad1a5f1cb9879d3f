package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/importer/harness/world/isolate/inside"
	"example.com/importer/harness/world/program"
)

// sources is where the folder that is built lies in its container.
const sources = "/sources"

// Build runs a submission's own build command, a list of words, in a container, and leaves in
// the folder dir what it left: the command works on a copy in there, without network, and
// the copy comes back as an archive of regular files, folders and symbolic links.
//
// Its errors are those of program.BuildCommand.
func (i *Isolation) Build(ctx context.Context, dir string, words []string, within time.Duration) error {
	place, err := i.make(ctx, []share{{dir, sources}}, true)
	if err != nil {
		return err
	}
	defer place.Discard()
	reply, err := place.link.ask(within, inside.Request{Do: inside.Copy, Path: sources, Dir: buildDir})
	if err == nil {
		err = place.refusal(reply, "")
	}
	if err != nil {
		return fmt.Errorf("build %s: copy it into a container: %w", dir, err)
	}
	result, err := program.Run(ctx, program.Spec{
		Name: "build", Path: words[0], Args: words[1:], Dir: buildDir, Env: []string{"HOME=/tmp"}, In: place,
		Limits: program.Limits{MaxRun: within, MaxOutput: 128 << 10},
	})
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("build %s: %w", dir, ctx.Err())
	case errors.Is(err, program.ErrStillRunning):
		return &program.BuildError{Dir: dir, Output: fmt.Sprintf("its build did not end within %v", within)}
	case err != nil:
		return fmt.Errorf("build %s: run %s: %w", dir, program.Sanitise(words[0]), err)
	case result.Exit.Code != 0 || result.Exit.OutOfMemory:
		said := strings.TrimSpace(result.Stdout + result.Stderr)
		return &program.BuildError{Dir: dir, Output: program.TrimOutput(said + "\n" + words[0] + " " + result.Exit.String())}
	}
	return i.bringBack(place, dir, within)
}

// bringBack replaces the folder by what the build has left.
func (i *Isolation) bringBack(place *Place, dir string, within time.Duration) error {
	built, err := os.MkdirTemp(filepath.Dir(dir), "built-")
	if err != nil {
		return fmt.Errorf("make a folder for what was built: %w", err)
	}
	defer os.RemoveAll(built)
	out, in, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("bring back what was built: %w", err)
	}
	_ = out.SetReadDeadline(time.Now().Add(within))
	unpacked := make(chan error, 1)
	go func() {
		err := unpack(out, built)
		out.Close() // or its writer would wait for ever for somebody who reads the rest
		unpacked <- err
	}()
	reply, err := place.link.ask(within, inside.Request{Do: inside.Pack, Path: buildDir}, in)
	in.Close()
	if err != nil {
		out.Close()
	} else {
		err = place.refusal(reply, "")
	}
	if unpackErr := <-unpacked; unpackErr != nil {
		err = unpackErr
	}
	if err != nil {
		return &program.BuildError{Dir: dir, Output: "what it has built cannot be used: " + program.Sanitise(err.Error())}
	}
	return errors.Join(os.Chmod(built, 0o755), os.RemoveAll(dir), os.Rename(built, dir))
}

// Find returns ErrNoTool of package program, wrapped, if the image has no such program. A
// name with a slash in it is none of the image's.
func (i *Isolation) Find(ctx context.Context, names ...string) error {
	place, err := i.make(ctx, nil, false)
	if err != nil {
		return err
	}
	defer place.Discard()
	for _, name := range names {
		reply, err := place.link.ask(answerWithin, inside.Request{Do: inside.Find, Path: name})
		if err == nil {
			err = place.refusal(reply, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
