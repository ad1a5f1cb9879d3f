package world

import "context"

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

// InEmpty is In without any stock.
func (l *Lab) InEmpty(ctx context.Context, part func(*World) error) error {
	w, err := Open(ctx, l.Config)
	if err != nil {
		return err
	}
	defer func() {
		l.Logs = w.Logs()
		w.Close()
	}()
	return part(w)
}
