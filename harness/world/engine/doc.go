// Package engine is where a run's Redis comes from: a container that the harness starts, miniredis
// inside the harness, or a server that the user names.
//
// All three look alike to the rest of the harness: one plain TCP address that a fault proxy can
// forward to, and a set of numbered databases that are leased, one to a cell, so that cells can run
// side by side on one server. They differ in what a run on them proves; Engine.Rehearsal says that.
package engine
