package engine

import (
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOwnerWrittenAndRead(t *testing.T) {
	me := self()
	got, err := parseOwner(me.String(), me.space)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(me, got, cmp.AllowUnexported(owner{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"", "12", "@host", "x@host", "0@host", "-3@host"} {
		if got, err := parseOwner(name, ""); err == nil {
			t.Errorf("parseOwner(%q) = %v, want an error", name, got)
		}
	}
}

func TestOwnerGone(t *testing.T) {
	ended := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	me := self()
	dead := owner{pid: ended.Process.Pid, host: me.host, space: me.space}
	elsewhere, inside := dead, dead
	elsewhere.host += "-2"
	inside.space += "-2"

	for name, c := range map[string]struct {
		owner owner
		want  bool
	}{
		"this process":                      {me, false},
		"an ended process":                  {dead, true},
		"the same number on another host":   {elsewhere, false},
		"the same number in a container":    {inside, false},
		"process 1, which is somebody else": {owner{pid: 1, host: me.host, space: me.space}, false},
	} {
		if got := c.owner.gone(); got != c.want {
			t.Errorf("%s: gone is %v, want %v", name, got, c.want)
		}
	}
}
