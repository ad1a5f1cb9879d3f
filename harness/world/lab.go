package world

import "context"

// Lab opens worlds for a story, one after the other, each with a clean database.
type Lab struct {
	Config
	Logs []string // the programs' last lines in the world that was closed last
}

// In lets a part of a story happen in a world of its own, with the opening
// catalogue written by the program's own seed command.
func (l *Lab) In(ctx context.Context, part func(*World) error) error {
	w, err := Open(ctx, l.Config)
	if err != nil {
		return err
	}
	defer func() {
		l.Logs = w.Logs()
		w.Close()
	}()
	if err := w.Seed(ctx); err != nil {
		return err
	}
	return part(w)
}
