package program

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// childMode makes the test binary itself the program under test: its value
// names one of children.
const childMode = "PROGRAM_TEST_CHILD"

func TestMain(m *testing.M) {
	if mode, ok := os.LookupEnv(childMode); ok {
		// A child that a failing test forgot ends by itself.
		time.AfterFunc(2*time.Minute, func() { os.Exit(99) })
		children[mode]()
		syscall.Exit(0) // os.Exit waits a second for the race detector
	}
	goleak.VerifyTestMain(m)
}

// children are programs that behave, each in one way, like a stage or unlike one.
var children = map[string]func(){
	"silent":   forever,
	"crash":    func() { fmt.Fprintln(os.Stderr, "cannot reach Redis"); syscall.Exit(3) },
	"killed":   func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); forever() },
	"wrong":    func() { fmt.Println("\x1b[2Jready: \u202eok"); forever() },
	"half":     func() { fmt.Print("no line break"); syscall.Exit(0) },
	"say":      func() { fmt.Print(os.Getenv("SAY")); fmt.Fprint(os.Stderr, os.Getenv("LOG")) },
	"env":      func() { fmt.Println(strings.Join(os.Environ(), "\n")) },
	"stubborn": func() { signal.Ignore(syscall.SIGTERM); fmt.Println("here"); forever() },
	"polite":   polite,
	"echo":     echo,
	"flood":    flood,
	"logger":   logger,
	"stdin":    func() { b, err := io.ReadAll(os.Stdin); fmt.Printf("%d %v\n", len(b), err) },
	"orphan":   func() { fmt.Println(spawn("silent", nil)) },
	"family":   func() { fmt.Println(spawn("silent", nil)); forever() },
	"escape":   func() { fmt.Println(spawn("silent", &syscall.SysProcAttr{Setsid: true})) },
	"harness":  harness,
}

func forever() { <-make(chan struct{}) } // the timer in TestMain keeps this from being a deadlock

// polite ends with status 0 on SIGTERM, after a last word.
func polite() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	fmt.Println("here")
	<-term
	fmt.Fprintln(os.Stderr, "stopped on request")
}

// echo answers every line that a connection sends: a heart that beats on demand.
func echo() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on http://" + l.Addr().String())
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(c, c)
		}
	}()
	<-term
}

func flood() {
	w := bufio.NewWriterSize(os.Stderr, 64<<10)
	for i := range 200_000 {
		fmt.Fprintf(w, "line %06d %s\n", i, strings.Repeat("x", 40))
	}
	fmt.Fprint(w, strings.Repeat("y", 300_000)+"\nthe last line\n")
	w.Flush()
}

func logger() {
	fmt.Fprintln(os.Stderr, `{"event":"job_taken","jobId":"shipment-1","attempt":1}`)
	fmt.Fprintln(os.Stderr, `plain`)
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGUSR1)
	fmt.Println("go") // from here on the signal is awaited
	<-term
	fmt.Fprintln(os.Stderr, `{"event":"job_completed","jobId":"shipment-1"}`)
	forever()
}

// spawn starts a grandchild that holds the same outputs, and returns its id.
func spawn(mode string, attr *syscall.SysProcAttr) int {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = []string{childMode + "=" + mode}
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = os.Stdout, os.Stderr, attr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd.Process.Pid
}

// harness stands for a harness that has a program running.
func harness() {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p, err := Start(context.Background(), Spec{Name: "worker", Path: exe, Env: []string{childMode + "=silent"}})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.PID())
	forever()
}
