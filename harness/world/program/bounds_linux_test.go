package program

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func init() {
	children["eat"] = func() {
		var eaten [][]byte
		for range 64 {
			part := make([]byte, 16<<20)
			for i := 0; i < len(part); i += 4096 {
				part[i] = 1
			}
			eaten = append(eaten, part)
		}
		println(len(eaten))
	}
	children["limits"] = func() {
		told := make(chan os.Signal, 1)
		signal.Notify(told, syscall.SIGUSR1)
		os.Stdout.WriteString("here\n") // the bounds come right after the start
		<-told
		content, _ := os.ReadFile("/proc/self/limits")
		os.Stdout.Write(content)
	}
}

// A program that wants more memory than it may have does not get it.
func TestMemoryIsBounded(t *testing.T) {
	spec := child(t, "eat")
	spec.Limits.MaxMemory = 512 << 20
	p := start(t, spec)
	if exit := done(t, p); exit.Code == 0 {
		t.Errorf("it ate 1 GiB with a bound of 512 MiB: %s", exit)
	}
	spec.Limits.MaxMemory = 4 << 30
	if exit := done(t, start(t, spec)); exit.Code != 0 {
		t.Errorf("it could not eat 1 GiB with a bound of 4 GiB: %s", exit)
	}
}

func TestDefaultBounds(t *testing.T) {
	p := start(t, child(t, "limits"))
	if _, err := p.FirstLine(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	done(t, p)
	said := ""
	for _, line := range p.Stdout() {
		said += line.Text + "\n"
	}
	for what, most := range map[string]int64{"Max data size": 2 << 30, "Max file size": 256 << 20, "Max core file size": 0} {
		_, rest, _ := strings.Cut(said, what)
		if fields := strings.Fields(rest); len(fields) < 2 || fields[0] != strconv.FormatInt(most, 10) || fields[1] != fields[0] {
			t.Errorf("%s: %.40q, want %d", what, rest, most)
		}
	}
}
