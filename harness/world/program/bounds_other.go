//go:build unix && !linux

package program

// bound can do nothing here: there is no way to bound another process.
func bound(int, Limits) error { return nil }

// Adopt can do nothing here: orphans go to the first process of the system.
func Adopt() error { return nil }

// Shield can do nothing here.
func Shield() error { return nil }

// EndAdopted has nothing to end here.
func EndAdopted() {}

func endAdopted([]string) bool { return false }
