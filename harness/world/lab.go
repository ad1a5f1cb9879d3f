package world

import (
	"context"
	"fmt"
	"os"
)

// Lab opens worlds for a story, one after the other, each with a clean database.
type Lab struct {
	Config
	Logs []string // the programs' last lines in the world that was closed last
}

// In lets a part of a story happen in a world of its own, with the opening
// catalogue in its stock.
func (l *Lab) In(ctx context.Context, part func(*World) error) error {
	return l.InEmpty(ctx, func(w *World) error {
		if err := w.Reopen(ctx); err != nil {
			return err
		}
		return part(w)
	})
}

// InOwn is In on a Redis of its own. There is none outside of containers, and then
// part does not happen.
func (l *Lab) InOwn(ctx context.Context, part func(*World) error) (happened bool, err error) {
	if l.Own == nil {
		return false, nil
	}
	over := l.waits()
	server, release, err := l.Own.Take(ctx)
	over()
	if err != nil {
		return false, fmt.Errorf("open a Redis of its own: %w", err)
	}
	defer release()
	own := Lab{Config: l.Config}
	own.Engine = server
	err = own.In(ctx, part)
	l.Logs = own.Logs
	return true, err
}

// InEmpty is In without any stock.
func (l *Lab) InEmpty(ctx context.Context, part func(*World) error) error {
	w, err := Open(ctx, l.Config)
	if err != nil {
		return err
	}
	defer func() {
		w.Close()
		l.Logs = w.Logs() // when the programs have said their last
	}()
	return part(w)
}

// OwnData makes a data folder that a story may change, with the data set in it. The
// caller calls remove.
func (l *Lab) OwnData() (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp(l.Scratch, "importer-data-")
	if err != nil {
		return "", nil, fmt.Errorf("make a data folder: %w", err)
	}
	remove = func() { os.RemoveAll(dir) }
	err = os.Chmod(dir, 0o755) // its reader may be another user
	if err == nil {
		err = l.Data.Write(dir)
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return dir, remove, nil
}
