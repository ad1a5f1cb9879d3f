package program

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var timeZero time.Time

func read(t *testing.T, l Limits, r io.Reader) *stream {
	t.Helper()
	s := newStream(l.withDefaults())
	if err := s.readFrom(r); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStreamCutsLines(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	for _, c := range []struct {
		name, in, want string
		max            int
	}{
		{"nothing", "", "", 0},
		{"one", "a\n", "a\n", 0},
		{"no break at the end", "a\nb", "a\nb\n", 0},
		{"empty lines count", "\n\na\n", "\n\na\n", 0},
		{"carriage return shows", "a\r\n", "a\\r\n", 0},
		{"longer than the read buffer", long + "\nb\n", long + "\nb\n", 0},
		{"longer than allowed", "abcdef\nabc\n", "abc ... (3 bytes cut off)\nabc\n", 3},
		{"longer than both", long + "\nb\n", "xxx ... (39997 bytes cut off)\nb\n", 3},
		{"cut inside a letter", "aü\n", "a\ufffd ... (1 bytes cut off)\n", 2},
		{"cut JSON is no log line", `{"event":"e"}x`, `{"event":"e"} ... (1 bytes cut off)` + "\n", 13},
	} {
		for name, r := range map[string]io.Reader{
			"": strings.NewReader(c.in), " byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			s := read(t, Limits{MaxLine: c.max}, r)
			if diff := cmp.Diff(c.want, s.text()); diff != "" {
				t.Errorf("%s%s:\n%s", c.name, name, diff)
			}
			for _, l := range s.head {
				if l.Fields != nil {
					t.Errorf("%s: %q has fields", c.name, l.Text)
				}
			}
		}
	}
}

func TestStreamKeepsFirstAndLastLines(t *testing.T) {
	var in strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&in, "%03d\n", i)
	}
	s := read(t, Limits{MaxOutput: 4 * (3 + lineCost)}, strings.NewReader(in.String()))
	want := "000\n001\n[996 lines, 2988 bytes, not kept]\n998\n999\n"
	if diff := cmp.Diff(want, s.text()); diff != "" {
		t.Error(diff)
	}
}

// However small the bound, the line that says where the server listens and the
// line that says why it ended are kept.
func TestStreamAlwaysKeepsTheFirstAndTheLast(t *testing.T) {
	s := read(t, Limits{MaxOutput: 1}, strings.NewReader("first\nmiddle\nlast\n"))
	if diff := cmp.Diff("first\n[1 lines, 6 bytes, not kept]\nlast\n", s.text()); diff != "" {
		t.Error(diff)
	}
}

func TestStreamReportsABrokenPipe(t *testing.T) {
	broken := errors.New("broken")
	s := newStream(Limits{}.withDefaults())
	err := s.readFrom(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || s.text() != "a\nb\n" {
		t.Errorf("got %v and %q", err, s.text())
	}
}

// A waiter sees a line that is dropped as soon as it has come.
func TestStreamWaiterMissesNothing(t *testing.T) {
	s := newStream(Limits{MaxOutput: 1}.withDefaults())
	w := s.watch(func(l Line) bool { return l.Text == "500" })
	var in strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&in, "%d\n", i)
	}
	if err := s.readFrom(strings.NewReader(in.String())); err != nil {
		t.Fatal(err)
	}
	select {
	case l := <-w.found:
		if l.Text != "500" {
			t.Errorf("found %q", l.Text)
		}
	default:
		t.Error("the line came and was not found")
	}
}
