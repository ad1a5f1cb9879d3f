//go:build unix && !linux

package program

import (
	"os/exec"
	"syscall"
)

// dieWithParent can do nothing here: without Linux's death signal, a harness
// that is killed outright leaves its programs running.
func dieWithParent(*syscall.SysProcAttr) {}

// awaitEnd waits and reaps in one, because waitid cannot be trusted to do only
// the first everywhere (on macOS it also returns for a stopped process). For an
// instant after it, a signal could in theory hit a stranger with the same id.
func awaitEnd(cmd *exec.Cmd) { _ = cmd.Wait() }

// awaitStopped trusts that a signal just sent takes effect soon.
func awaitStopped(int) error { return nil }

// endGroup kills what is left of a group and reports whether there was anything.
func endGroup(pgid int) bool {
	return syscall.Kill(-pgid, syscall.SIGKILL) == nil
}
