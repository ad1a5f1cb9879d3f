package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomodule/redigo/redis"
	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/engine/enginetest"
)

func TestMain(m *testing.M) { enginetest.Main(m) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"GET k":                    {"GET", "k"},
		"  GET \t k ":              {"GET", "k"},
		`SET k "a b"`:              {"SET", "k", "a b"},
		`SET k ""`:                 {"SET", "k", ""},
		`SET k 'it''`:              nil,
		`SET k 'it\'s'`:            {"SET", "k", "it's"},
		`SET k 'a\nb'`:             {"SET", "k", `a\nb`},
		`SET k "a\nb\t\x41\\\"\q"`: {"SET", "k", "a\nb\tA\\\"q"},
		`SET k "\xzz"`:             {"SET", "k", "xzz"},
		`EVAL "return {'a', 1}" 0`: {"EVAL", "return {'a', 1}", "0"},
		`SET k "a"b`:               nil,
		`SET k "a`:                 nil,
		`SET k 'a`:                 nil,
		`SET k "a\`:                nil,
		`SET k a"b"`:               {"SET", "k", "ab"},
	} {
		got, err := split(line)
		if (err == nil) != (want != nil) {
			t.Errorf("%s: %v", line, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(`SET k "a\x41" 'b'`)
	f.Fuzz(func(t *testing.T, line string) {
		args, err := split(line)
		if err != nil && args != nil {
			t.Errorf("%q: both %q and %v", line, args, err)
		}
	})
}

// What render quotes, split takes apart again.
func FuzzQuote(f *testing.F) {
	f.Add("a\n\"\\\xff é")
	f.Fuzz(func(t *testing.T, text string) {
		args, err := split(quote([]byte(text)))
		if diff := cmp.Diff([]string{text}, args); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}

func TestRender(t *testing.T) {
	for want, reply := range map[string]any{
		"(nil)":                    nil,
		"OK":                       "OK",
		`"OK"`:                     []byte("OK"),
		"(integer) -3":             int64(-3),
		"(error) ERR no":           redis.Error("ERR no"),
		"(empty array)":            []any{},
		`"a\n\"\\\x01\xc3\xa9"`:    []byte("a\n\"\\\x01é"),
		"1) (integer) 1\n2) (nil)": []any{int64(1), nil},
		"1) 1) \"a\"\n   2) \"b\"\n2) (empty array)": []any{[]any{[]byte("a"), []byte("b")}, []any{}},
	} {
		if diff := cmp.Diff(want, render(reply)); diff != "" {
			t.Errorf("%#v (-want +got):\n%s", reply, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"OK\n> PING":                          "line 1 of the session, OK: a session begins with a command",
		"> PING":                              "no answer is shown",
		"> PING\n> PING\nPONG":                "line 1",
		"> GET \"k\nOK":                       "a quote is not closed",
		"$ rm -rf x\nOK":                      "only redis-cli --eval",
		"$ redis-cli -x < x\nOK":              "only redis-cli --eval",
		"$ redis-cli -x SET k < none.lua\nOK": "none.lua",
		"$ redis-cli --eval none.lua k\nOK":   "none.lua",
	} {
		if _, err := Parse(text, "."); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want %q", text, err, says)
		}
	}
}

func TestShows(t *testing.T) {
	for _, c := range []struct {
		shown, got string
		want       bool
	}{
		{"OK", "OK", true},
		{"OK", "OKAY", false},
		{"(error) ERR ...", "(error) ERR no such thing", true},
		{"(error) ERR ...", "(error) ERROR", false},
		{"(error) ERR ...", "(error) NOPERM no right", false},
		{"(error) ERR ...", "(error) ERR", false},
		{"(error) ERR ...", "(error) ERR one\nand another line", false},
		{"1) OK ...\n2) (nil)", "1) OK then\n2) (nil)", true},
		{"1) OK ...\n2) (nil)", "1) OK then\n2) OK", false},
		{"wait...", "wait for it", false},
		{`"and so on ..."`, `"and so on and on"`, false},
	} {
		if got := shows(c.shown, c.got); got != c.want {
			t.Errorf("%q shows %q: %v, want %v", c.shown, c.got, got, c.want)
		}
	}
}

// A session that is right, with two clients and a script's file.
const right = `> SET stock 8
OK
A> WATCH stock
OK
A> MULTI
OK
A> SET stock 9
QUEUED
B> DECR stock
(integer) 7
A> EXEC
(nil)
$ redis-cli --eval two.lua a b , "x y"
1) "a"
2) "b"
3) "x y"
$ redis-cli --eval two.lua
(empty array)
$ redis-cli -x SET source < two.lua
OK
> STRLEN source
(integer) 118
> LPUSH stock x
(error) WRONGTYPE Operation against a key holding the wrong kind of value
`

func TestPlay(t *testing.T) {
	folder := t.TempDir()
	script := "local all = {} for _, list in ipairs({KEYS, ARGV}) do for _, v in ipairs(list) do all[#all + 1] = v end end return all"
	must(t, os.WriteFile(filepath.Join(folder, "two.lua"), []byte(script), 0o600))
	play := func(text string) error {
		t.Helper()
		steps, err := Parse(text, folder)
		must(t, err)
		client := enginetest.Database(t)
		return Play(t.Context(), client.Options().Addr, client.Options().DB, steps)
	}
	must(t, play(right))

	// Each answer counts: with another one in its place, the session is wrong there.
	steps, err := Parse(right, folder)
	must(t, err)
	for _, step := range steps {
		wrong := strings.Replace(right, step.Typed+"\n"+step.Want+"\n", step.Typed+"\nwrong\n", 1)
		err := play(wrong)
		if err == nil || !strings.Contains(err.Error(), step.Typed) || !strings.Contains(err.Error(), step.Want) {
			t.Errorf("with a wrong answer to %q: %v", step.Typed, err)
		}
	}
}
