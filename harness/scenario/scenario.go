// Package scenario tells the stories: one file for each, one function read from
// top to bottom. A story only acts and records; whether what it saw is right is
// judged elsewhere, from the record.
package scenario

import (
	"context"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
)

// Func tells one story with one data set. An error that world.Blames is the
// program's fault, any other is the harness's own trouble.
type Func func(ctx context.Context, lab *world.Lab, story *history.Story) error

// All maps the scenarios of the matrix to their stories.
var All = map[string]Func{
	matrix.BatchAB:      batchAB,
	matrix.LostResponse: lostResponse,
	matrix.DoubleWorker: doubleWorker,
}

// look records a step of the story.
func look(ctx context.Context, w *world.World, story *history.Story, server *world.Server, step, jobID string, answers ...history.Answer) error {
	seen, err := w.Look(ctx, server, step, jobID, answers...)
	if err == nil {
		story.Steps = append(story.Steps, seen)
	}
	return err
}
