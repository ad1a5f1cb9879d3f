package wire

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCommandString(t *testing.T) {
	long := strings.Repeat("é", 100)
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"plain", []string{"SET", "stock:lamp", "8"}, `SET stock:lamp 8`},
		{"spaces and quotes", []string{"SET", "k", `a "b" 'c'`}, `SET k "a \"b\" 'c'"`},
		{"empty argument", []string{"SET", "k", ""}, `SET k ""`},
		{"backslash", []string{"GET", `a\b`}, `GET "a\\b"`},
		{"lines", []string{"SET", "k", "a\r\nb\tc"}, `SET k "a\r\nb\tc"`},
		{"binary", []string{"SET", "k", "\x00\xff\x1b"}, `SET k "\x00\xff\x1b"`},
		{"other letters", []string{"SET", "k", "лампа"}, `SET k лампа`},
		{"text direction cannot be turned", []string{"GET", "\u202e"}, `GET "\xe2\x80\xae"`},
		{"script", []string{"EVAL", "local a = 1\n" + strings.Repeat("x", 60), "1", "k"},
			`EVAL "local a = 1\n` + strings.Repeat("x", 28) + `…" 1 k`},
		{"script load", []string{"script", "load", strings.Repeat("x", 60)}, `script load ` + strings.Repeat("x", 40) + `…`},
		{"long argument", []string{"SET", "k", long}, `SET k ` + long[:160] + `…`},
		{"many arguments", append([]string{"DEL"}, strings.Split(strings.Repeat("k ", 30), " ")[:30]...),
			"DEL" + strings.Repeat(" k", 23) + " … (7 more)"},
		{"no command", nil, "(not a command)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Command{Args: tt.args}.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCommandTouches(t *testing.T) {
	exec := Command{Args: []string{"EXEC"}, Queued: []Command{
		{Args: []string{"INCR", "stock:lamp"}}, {Args: []string{"PING"}},
	}}
	for _, tt := range []struct {
		name    string
		command Command
		prefix  string
		want    bool
	}{
		{"first key", Command{Args: []string{"GET", "stock:lamp"}}, "stock:", true},
		{"later argument", Command{Args: []string{"EVALSHA", "abc", "1", "stock:lamp"}}, "stock:", true},
		{"not within", Command{Args: []string{"GET", "old-stock:lamp"}}, "stock:", false},
		{"not the name", Command{Args: []string{"GET"}}, "GET", false},
		{"queued", exec, "stock:", true},
		{"not queued", exec, "job:", false},
		{"no command", Command{}, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.command.Touches(tt.prefix); got != tt.want {
				t.Errorf("Touches(%q) = %v, want %v", tt.prefix, got, tt.want)
			}
		})
	}
}

func TestSplitInline(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"PING", []string{"PING"}},
		{"  SET\tk  v  ", []string{"SET", "k", "v"}},
		{`SET k "a \"b\" \x41\n\q"`, []string{"SET", "k", "a \"b\" A\nq"}},
		{`SET k 'a \'b\' \n'`, []string{"SET", "k", `a 'b' \n`}},
		{`SET k ""`, []string{"SET", "k", ""}},
		{`SET k pre"fix"`, []string{"SET", "k", "prefix"}},
		{`"\xzz"`, []string{"xzz"}},
		{"", nil},
	} {
		got, err := splitInline(tt.line)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("splitInline(%q): %v\n%s", tt.line, err, diff)
		}
	}
	for _, line := range []string{`"`, `'a`, `"a"b`, `"a\`, `'a\'`} {
		if got, err := splitInline(line); err == nil {
			t.Errorf("splitInline(%q) = %q, want an error", line, got)
		}
	}
}

// What String prints is one line that reads back as the command.
func FuzzCommandString(f *testing.F) {
	f.Add("SET", "k", "a \"b\"\r\n\x00\xff")
	f.Add("", "'", "\\x41\u202e")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		args := []string{a, b, c}
		line := Command{Args: args}.String()
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Fatalf("%q: does not print at %d", line, i)
		}
		if strings.Contains(line, "…") {
			return
		}
		back, err := splitInline(line)
		if diff := cmp.Diff(args, back, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%s reads back: %v\n%s", line, err, diff)
		}
	})
}
