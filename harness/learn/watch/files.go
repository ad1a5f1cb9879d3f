// Package watch runs something again whenever a file of a folder is saved.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long nothing must happen before a change counts as over: editors save
// in several steps, and several files at once.
const quiet = 100 * time.Millisecond

// Changes watches the files in dir and in the folders below it until ctx ends, and
// then closes the channel. One value stands for everything that changed in short
// order. A change that nobody has taken yet is not told twice.
func Changes(ctx context.Context, dir string) (<-chan struct{}, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", dir, err)
	}
	if err := addFolders(watcher, dir); err != nil {
		return nil, errors.Join(fmt.Errorf("watch %s: %w", dir, err), watcher.Close())
	}
	changes := make(chan struct{}, 1)
	go func() {
		defer close(changes)
		defer watcher.Close()
		follow(ctx, watcher, changes)
	}()
	return changes, nil
}

func follow(ctx context.Context, watcher *fsnotify.Watcher, changes chan<- struct{}) {
	settled := time.NewTimer(0)
	<-settled.C
	for {
		select {
		case <-ctx.Done():
			return
		case event, open := <-watcher.Events:
			if !open {
				return
			}
			if !counts(event) {
				continue
			}
			if event.Has(fsnotify.Create) {
				// A folder that is new here, with all that may be in it by now.
				if info, err := os.Lstat(event.Name); err == nil && info.IsDir() {
					_ = addFolders(watcher, event.Name) // it may be gone again
				}
			}
			settled.Reset(quiet)
		case _, open := <-watcher.Errors:
			if !open {
				return
			}
			settled.Reset(quiet) // events were lost, so something may have changed
		case <-settled.C:
			select {
			case changes <- struct{}{}:
			default:
			}
		}
	}
}

func addFolders(watcher *fsnotify.Watcher, dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case path != dir && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		}
		return watcher.Add(path)
	})
}

// counts says whether an event can make another program: not the change of a date or
// right alone, not what editors keep beside a file, and not a program that was built.
func counts(event fsnotify.Event) bool {
	name := filepath.Base(event.Name)
	switch {
	case event.Op == fsnotify.Chmod:
		return false
	case strings.HasPrefix(name, "."), strings.HasPrefix(name, "#"), strings.HasSuffix(name, "~"), name == "4913": // vim asks with it whether it may write
		return false
	case name == "importer":
		return false
	}
	return true
}
