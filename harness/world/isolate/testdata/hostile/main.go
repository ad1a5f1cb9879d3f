// Hostile tries what an isolated program must not be able to do. Its first argument says
// what; each attempt is a line on stdout, "done WHAT" or "not WHAT: WHY".
package main

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

func main() {
	attempts := map[string]func(){
		"reach": reach, "write": write, "read": read, "fork": fork, "eat": eat, "who": who, "attack": attack,
		"serve": serve, "sleep": func() { time.Sleep(time.Minute) }, "daemon": daemon, "stubborn": stubborn,
		"two":  func() { fmt.Fprintln(os.Stderr, "a bad setting"); os.Exit(2) },
		"echo": func() { fmt.Println(strings.Join(os.Args[2:], "|")); fmt.Println(strings.Join(os.Environ(), "|")) },
		"chat": chat,
	}
	attempts[os.Args[1]]()
}

func try(what string, err error) {
	if err != nil {
		fmt.Printf("not %s: %v\n", what, err)
		return
	}
	fmt.Println("done", what)
}

// reach connects to each address of its arguments.
func reach() {
	for _, addr := range os.Args[2:] {
		conn, err := net.DialTimeout("tcp", addr, 3*time.Second)
		try(addr, err)
		if err == nil {
			conn.Close()
		}
	}
	_, err := net.LookupHost("example.com")
	try("names", err)
	devices, _ := net.Interfaces()
	for _, d := range devices {
		if addrs, _ := d.Addrs(); len(addrs) > 0 {
			fmt.Println("device", d.Name)
		}
	}
}

// write creates a file in every folder there is, and tries to change its own program.
func write() {
	_ = filepath.WalkDir("/", func(path string, entry fs.DirEntry, err error) error {
		if path == "/proc" || path == "/sys" {
			return fs.SkipDir
		}
		if err == nil && entry.IsDir() {
			err := os.WriteFile(filepath.Join(path, "mine"), []byte("mine"), 0o644)
			if err == nil {
				fmt.Println("done write", path)
			}
		}
		return nil
	})
	for _, file := range []string{os.Args[0], "/harness/inside", "/etc/passwd", "/proc/sys/kernel/core_pattern", "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory.max"} {
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		try("open "+file, err)
		if err == nil {
			f.Close()
		}
	}
	// Nobody may write to what is root's, so that alone does not tell how it is mounted.
	var root syscall.Statfs_t
	if err := syscall.Statfs("/", &root); err == nil && root.Flags&1 == 0 { // ST_RDONLY
		fmt.Println("done mount / to be written to")
	}
	try("mount", syscall.Mount("none", "/tmp", "tmpfs", 0, ""))
	try("remount", syscall.Mount("none", "/", "", syscall.MS_REMOUNT, ""))
	full, err := os.Create("/tmp/full")
	if err == nil {
		_, err = io.CopyN(full, zeros{}, 200<<20)
	}
	try("fill /tmp", err)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// read looks for files by name, and into the first process.
func read() {
	for _, path := range os.Args[2:] {
		_, err := os.ReadFile(path)
		try("read "+path, err)
	}
	for _, path := range []string{"/proc/1/environ", "/proc/1/mem", "/proc/1/maps", "/proc/kcore", "/dev/mem", "/var/run/docker.sock", "/harness/control/socket"} {
		content, err := os.ReadFile(path)
		if err == nil && len(content) == 0 {
			err = io.EOF
		}
		try("read "+path, err)
	}
	_, err := os.ReadDir("/proc/1/fd")
	try("read /proc/1/fd", err)
	others := 0
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if strings.Trim(e.Name(), "0123456789") == "" {
			others++
		}
	}
	fmt.Println("processes", others)
}

// fork starts itself until it cannot any more.
func fork() {
	for n := 0; ; n++ {
		child := exec.Command(os.Args[0], "sleep")
		if err := child.Start(); err != nil || n > 2000 {
			fmt.Println("forked", n, err)
			return
		}
	}
}

func eat() {
	var all [][]byte
	for {
		part := make([]byte, 16<<20)
		for i := range part {
			part[i] = 1
		}
		all = append(all, part)
		_ = all
	}
}

func who() {
	fmt.Println("user", os.Getuid(), os.Getgid(), os.Geteuid())
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		for _, name := range []string{"CapEff", "CapPrm", "CapBnd", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp"} {
			if strings.HasPrefix(line, name+":") {
				fmt.Println(strings.Join(strings.Fields(line), " "))
			}
		}
	}
	groups, _ := os.Getgroups()
	fmt.Println("groups", groups)
	try("root", syscall.Setuid(0))
	try("chroot", syscall.Chroot("/tmp"))
	try("unshare", syscall.Unshare(syscall.CLONE_NEWUSER|syscall.CLONE_NEWNET))
}

// attack tries to end the first process, or to get into it.
func attack() {
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGQUIT} {
		_ = syscall.Kill(1, sig)
	}
	try("trace", syscall.PtraceAttach(1))
	conn, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: "/harness/control/socket", Net: "unixpacket"})
	try("talk to the harness", err)
	if err == nil {
		conn.Close()
	}
	time.Sleep(200 * time.Millisecond)
	fmt.Println("still here")
}

func serve() {
	listener, err := net.Listen("tcp", os.Getenv("ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	go func() { <-stop; os.Exit(0) }()
	_ = http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/wait":
			<-r.Context().Done()
			fmt.Println("the client left")
		}
		host, _, _ := net.SplitHostPort(r.RemoteAddr)
		fmt.Fprint(w, host)
	}))
}

// daemon leaves a process behind that has left its session.
func daemon() {
	child := exec.Command(os.Args[0], "chat")
	child.Env, child.SysProcAttr = append(os.Environ(), "CHAT=127.0.0.1:6379"), &syscall.SysProcAttr{Setsid: true}
	try("leave a daemon", child.Start())
}

func stubborn() {
	signal.Ignore(syscall.SIGTERM)
	fmt.Println("ready")
	time.Sleep(time.Minute)
}

// chat says something to its Redis every few milliseconds.
func chat() {
	conn, err := net.Dial("tcp", "127.0.0.1:6379")
	if err != nil {
		fmt.Println("not connected:", err)
		return
	}
	for {
		if _, err := conn.Write([]byte("PING\r\n")); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}
