package program

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// orphansFor bounds the wait for killed orphans to be gone.
const orphansFor = 2 * time.Second

// dieWithParent has the kernel kill the program when the thread that forked it
// ends. See Process.own for who keeps that thread.
func dieWithParent(attr *syscall.SysProcAttr) {
	attr.Pdeathsig = syscall.SIGKILL
}

// awaitEnd returns when the process has ended, and leaves it to be reaped.
func awaitEnd(cmd *exec.Cmd) {
	_, _ = waitid(cmd.Process.Pid, unix.WEXITED)
}

// awaitStopped returns when every thread of the process stands still.
func awaitStopped(pid int) error {
	code, err := waitid(pid, unix.WEXITED|unix.WSTOPPED)
	if err != nil {
		return err
	}
	if code != cldStopped {
		return ErrExited
	}
	return nil
}

const cldStopped = 5 // CLD_STOPPED of siginfo's si_code

func waitid(pid, events int) (code int32, err error) {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, pid, &info, events|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return info.Code, os.NewSyscallError("waitid", err)
		}
	}
}

// endGroup kills what is left of a group whose leader has ended and is not yet
// reaped, waits until it is gone, and reports whether there was anything. Gone
// matters: an orphan that still runs could write to Redis after the scenario
// has read the end state.
func endGroup(pgid int) bool {
	members := livingMembers(pgid)
	var fds []unix.PollFd
	for _, pid := range members {
		if fd, err := unix.PidfdOpen(pid, 0); err == nil {
			defer unix.Close(fd)
			fds = append(fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		}
	}
	_ = syscall.Kill(-pgid, syscall.SIGKILL)
	until := time.Now().Add(orphansFor)
	for i := range fds {
		pollUntil(fds[i:i+1], until)
	}
	return len(members) > 0
}

func pollUntil(fds []unix.PollFd, until time.Time) {
	for {
		left := time.Until(until).Milliseconds()
		_, err := unix.Poll(fds, int(max(left, 0)))
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// livingMembers lists the processes of a group that have not ended. A signal
// to the group cannot tell: the leader still counts as a member, and so does an
// ended process that its new parent has not reaped.
func livingMembers(pgid int) []int {
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || pid == pgid {
			continue
		}
		// Asking costs a thousandth of reading a file, and hardly any is a member.
		if group, err := syscall.Getpgid(pid); err != nil || group != pgid {
			continue
		}
		stat, err := os.ReadFile("/proc/" + d.Name() + "/stat")
		if err != nil {
			continue // it has ended meanwhile
		}
		// PID (COMMAND) STATE PPID PGRP ...; the command may hold anything.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 2 && fields[2] == strconv.Itoa(pgid) && fields[0] != "Z" && fields[0] != "X" {
			pids = append(pids, pid)
		}
	}
	return pids
}
