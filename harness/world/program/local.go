package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// local is the place of a program that is a process of this machine, the leader of a
// group of its own.
type local struct {
	cmd    *exec.Cmd
	env    []string // what it was given beside PATH and TMPDIR
	limits Limits
}

// running holds the process id of every program that is not reaped yet.
var running sync.Map

func newLocal(spec Spec, limits Limits) *local {
	return &local{
		cmd: &exec.Cmd{
			Path:        spec.Path,
			Args:        append([]string{spec.Path}, spec.Args...),
			Env:         spec.environment(),
			Dir:         spec.Dir,
			SysProcAttr: ownGroup(),
		},
		env:    spec.Env,
		limits: limits,
	}
}

func (l *local) Launch(_ Spec, stdout, stderr *os.File) error {
	l.cmd.Stdout, l.cmd.Stderr = stdout, stderr
	if err := l.cmd.Start(); err != nil {
		return err
	}
	running.Store(l.pid(), nil)
	if err := bound(l.pid(), l.limits); err != nil {
		_ = syscall.Kill(-l.pid(), syscall.SIGKILL)
		_ = l.cmd.Wait()
		running.Delete(l.pid())
		return err
	}
	return nil
}

func (l *local) pid() int { return l.cmd.Process.Pid }

func (l *local) Signal(sig syscall.Signal, all bool) error {
	to := l.pid()
	if all {
		to = -to
	}
	err := syscall.Kill(to, sig)
	// macOS says EPERM for a group of which only the ended leader is left.
	if errors.Is(err, syscall.ESRCH) || errors.Is(err, syscall.EPERM) {
		return ErrExited
	}
	if err != nil {
		return fmt.Errorf("send %v: %w", sig, err)
	}
	return nil
}

func (l *local) AwaitStopped() error { return awaitStopped(l.pid()) }

func (l *local) AwaitEnd() { awaitEnd(l.cmd) }

// Reap ends the rest of the group and then takes the leader's status. The order
// matters: until it is reaped, the leader's id and so the group's belongs to
// nobody else, and a signal to the group cannot hit a stranger. (Where the system
// cannot wait without reaping, awaitEnd has done both.)
func (l *local) Reap() Exit {
	exit := Exit{Orphans: endGroup(l.pid())}
	if endAdopted(l.env) {
		exit.Orphans = true
	}
	if l.cmd.ProcessState == nil {
		_ = l.cmd.Wait() // what it would tell is in ProcessState
	}
	running.Delete(l.pid())
	exit.Code = l.cmd.ProcessState.ExitCode()
	if status, ok := l.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		exit.Signal = unix.SignalName(status.Signal())
	}
	return exit
}

// Publish has nothing to do: this machine's servers can be reached.
func (l *local) Publish(url string) (string, error) { return url, nil }

func ownGroup() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(attr)
	return attr
}
