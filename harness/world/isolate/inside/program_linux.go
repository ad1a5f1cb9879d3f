package inside

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// reapFor bounds the wait for killed processes to be gone.
const reapFor = 2 * time.Second

// find looks for a program: on PATH or, with a slash in it, where its path says, seen from
// the folder dir.
func find(path, dir string) (string, error) {
	if strings.Contains(path, "/") && !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	found, err := exec.LookPath(path)
	if err != nil {
		return "", kinded{NoTool, err}
	}
	return found, nil
}

// start starts the program in a session of its own, and the one goroutine that waits for
// children: for it, and for what it leaves behind, as orphans come to the first process.
func (s *server) start(r Request, stdout, stderr *os.File) error {
	path, err := find(r.Path, r.Dir)
	if err != nil {
		return err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	fds := []uintptr{null.Fd(), stdout.Fd(), stderr.Fd()} // Fd makes them wait for their reader
	env := append([]string{"PATH=" + os.Getenv("PATH"), "TMPDIR=/tmp"}, r.Env...)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pid != 0 {
		return errors.New("a program was started here before")
	}
	pid, err := syscall.ForkExec(path, append([]string{r.Path}, r.Args...), &syscall.ProcAttr{
		Dir: r.Dir, Env: env, Files: fds, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("start %s: %w", r.Path, err)
	}
	// Of all processes here, we are to be the last that the system kills for want of memory.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
	s.pid = pid
	go s.wait()
	return nil
}

// wait waits for children until there is none.
func (s *server) wait() {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WUNTRACED, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		s.mu.Lock()
		switch {
		case err != nil:
			s.alone = true
		case pid == s.pid && status.Stopped():
			s.still = true
		case pid == s.pid && s.ended == nil:
			s.ended = endOf(status)
			go s.send(Reply{Ended: s.ended})
		}
		s.changed.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func endOf(status unix.WaitStatus) *Ended {
	end := &Ended{Code: status.ExitStatus(), OutOfMemory: outOfMemory()}
	if status.Signaled() {
		end.Code, end.Signal = -1, int(status.Signal())
	}
	return end
}

// signal holds the lock while it sends, so that the program cannot be reaped meanwhile and
// its id given to another.
func (s *server) signal(sig unix.Signal, all bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pid == 0 || s.ended != nil {
		return kinded{Exited, errors.New("the program has ended")}
	}
	to := s.pid
	if all {
		to = -1 // everything but us
	}
	if sig == unix.SIGCONT {
		s.still = false
	}
	return unix.Kill(to, sig)
}

func (s *server) awaitStopped() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.still && s.ended == nil {
		s.changed.Wait()
	}
	if s.ended != nil {
		return kinded{Exited, errors.New("the program has ended")}
	}
	return nil
}

// reap kills everything and waits until it is gone. The program has ended before.
func (s *server) reap() *Ended {
	orphans := living()
	_ = unix.Kill(-1, unix.SIGKILL)
	late := time.AfterFunc(reapFor, func() {
		s.mu.Lock()
		s.alone = true
		s.mu.Unlock()
		s.changed.Broadcast()
	})
	defer late.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.alone && s.pid != 0 {
		s.changed.Wait()
	}
	if s.ended == nil {
		return &Ended{Code: -1, Signal: int(unix.SIGKILL), Orphans: orphans}
	}
	end := *s.ended
	end.Orphans = orphans
	end.OutOfMemory = outOfMemory()
	return &end
}

// living says whether a process is here beside us that has not ended.
func living() bool {
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		return false
	}
	for _, d := range dirs {
		pid, err := strconv.Atoi(d.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		stat, err := os.ReadFile("/proc/" + d.Name() + "/stat")
		if err != nil {
			continue // it has ended meanwhile
		}
		// PID (COMMAND) STATE ...; the command may hold anything.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) > 0 && fields[0] != "Z" && fields[0] != "X" {
			return true
		}
	}
	return false
}

// outOfMemory says whether the system has killed a process here because all of them
// together wanted more than they may have. The two files are those of the second and of the
// first version of control groups.
func outOfMemory() bool {
	for _, file := range []string{"/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control"} {
		content, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(content)) {
			if name, count, _ := strings.Cut(strings.TrimSpace(line), " "); name == "oom_kill" {
				return count != "0"
			}
		}
	}
	return false
}
