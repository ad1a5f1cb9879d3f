package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"example.com/importer/harness/world/engine"
)

const (
	serverAddr = "127.0.0.1:8080" // of a stage that is started by hand

	// What Go's cache and the programs of all stages take, with room to spare.
	enoughDisk = 2 << 30 // bytes

	// No run takes so long: what has not been touched since is left of one that was killed.
	leftAfter = time.Hour
)

func docker(ctx context.Context, _ Machine) []Finding {
	survey, err := engine.Look(ctx, engine.Choice{})
	if err != nil {
		return []Finding{{"Docker", NoProof, err.Error(), "install and start it; until then stages are rehearsed on miniredis"}}
	}
	list := []Finding{{"Docker", OK, "version " + survey.Docker, ""}}
	for _, image := range survey.Images {
		f := Finding{"image", OK, image.Name + " is here", ""}
		switch {
		case image.Here:
		case image.Trouble == nil:
			f.Seen = image.Name + " is pulled by the first run"
		case image.Name == survey.Images[0].Name:
			f.State, f.Seen = NoProof, fmt.Sprintf("%s is not here and cannot be pulled (%v)", image.Name, image.Trouble)
			f.Do = "build one with `make redis-image`, or name one you have in " + engine.ImageVariable
		default:
			f.State, f.Seen = NoProof, fmt.Sprintf("%s, testcontainers' reaper, is not here and cannot be pulled (%v)", image.Name, image.Trouble)
			f.Do = "export TESTCONTAINERS_RYUK_DISABLED=true; the harness removes its containers itself"
		}
		list = append(list, f)
	}
	if n := len(survey.Orphans); n > 0 {
		list = append(list, Finding{"containers", Note, fmt.Sprintf("left by killed runs: %s", strings.Join(survey.Orphans, ", ")), "the next run removes them"})
	} else {
		list = append(list, Finding{"containers", OK, "none left by killed runs", ""})
	}
	return list
}

// loopback is what all programs of a run meet on.
func loopback(ctx context.Context, _ Machine) []Finding {
	if err := roundTrip(ctx); err != nil {
		return []Finding{{"loopback", NoRun, err.Error(), "programs must be able to listen on 127.0.0.1 and to reach each other there: look at firewalls and sandboxes"}}
	}
	list := []Finding{{"loopback", OK, "127.0.0.1 takes and gives", ""}}
	listener, err := net.Listen("tcp", serverAddr)
	if err != nil {
		return append(list, Finding{"port 8080", Note, "it is taken", "a server that you start by hand needs IMPORTER_HTTP_ADDR=127.0.0.1:8081 or so; `make play-08` finds a port by itself"})
	}
	listener.Close()
	return append(list, Finding{"port 8080", OK, "it is free", ""})
}

func roundTrip(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("nobody can listen on it: %w", err)
	}
	defer listener.Close()
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	var dialer net.Dialer
	out, err := dialer.DialContext(ctx, "tcp", listener.Addr().String())
	if err != nil {
		return fmt.Errorf("a port that listens cannot be reached: %w", err)
	}
	defer out.Close()
	in, err := listener.Accept()
	if err != nil {
		return fmt.Errorf("a connection was not taken: %w", err)
	}
	defer in.Close()
	deadline, _ := ctx.Deadline()
	if err := errors.Join(in.SetDeadline(deadline), out.SetDeadline(deadline)); err != nil {
		return err
	}
	if _, err := out.Write([]byte{1}); err != nil {
		return fmt.Errorf("nothing goes through it: %w", err)
	}
	if _, err := io.ReadFull(in, make([]byte, 1)); err != nil {
		return fmt.Errorf("nothing comes through it: %w", err)
	}
	return nil
}

func disk(_ context.Context, m Machine) []Finding {
	var list []Finding
	seen := map[string]bool{}
	for _, dir := range []string{m.Workbook, os.TempDir()} {
		var stat unix.Statfs_t
		if err := unix.Statfs(dir, &stat); err != nil {
			list = append(list, Finding{"disk", Note, fmt.Sprintf("nobody knows how much is free in %s (%v)", dir, err), "make sure of 2 GiB"})
			continue
		}
		// The same file system twice would say the same twice.
		free := uint64(stat.Bavail) * uint64(stat.Bsize)
		key := fmt.Sprint(stat.Fsid)
		if seen[key] {
			continue
		}
		seen[key] = true
		f := Finding{"disk", OK, fmt.Sprintf("%.1f GiB free in %s", float64(free)/(1<<30), dir), ""}
		if free < enoughDisk {
			f.State, f.Do = Note, "make room: 2 GiB are enough; `go clean -cache` may help"
		}
		list = append(list, f)
	}
	return list
}

// folders looks for what killed runs have left in the temporary folder.
func folders(context.Context, Machine) []Finding {
	var left []string
	for _, pattern := range []string{"importer-harness-*", "importer-data-*"} {
		found, _ := filepath.Glob(filepath.Join(os.TempDir(), pattern)) // the pattern is a good one
		for _, dir := range found {
			if info, err := os.Stat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > leftAfter {
				left = append(left, dir)
			}
		}
	}
	if len(left) > 0 {
		return []Finding{{"folders", Note, fmt.Sprintf("%d left by killed runs", len(left)), "rm -r " + strings.Join(left, " ")}}
	}
	return []Finding{{"folders", OK, "none left by killed runs", ""}}
}
