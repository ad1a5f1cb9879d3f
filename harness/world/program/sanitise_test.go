package program

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSanitise(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		"plain: 8 lamps":          "plain: 8 lamps",
		"Lampe für 日本 🙂":          "Lampe für 日本 🙂",
		`{"path":"a\\b"}`:         `{"path":"a\\b"}`,
		"\x1b[2J\x1b[1;1HPASS":    `\x1b[2J\x1b[1;1HPASS`,
		"a\rb\tc\nd\x00\x7f":      `a\rb\tc\nd\x00\x7f`,
		"\u009b31m":               `\x9b31m`,
		"\u202eevil\u2069\u200b":  `\u202eevil\u2069\u200b`,
		"\u2028next\U000e0041tag": `\u2028next\U000e0041tag`,
		"bad \xff\xfe":            "bad \ufffd\ufffd",
	} {
		if got := Sanitise(in); got != want {
			t.Errorf("Sanitise(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzSanitise(f *testing.F) {
	f.Add("ok")
	f.Add("\x1b]0;title\x07\xff\u202e\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := Sanitise(s)
		if !utf8.ValidString(got) || !printable(got) {
			t.Errorf("Sanitise(%q) = %q still has what does not print", s, got)
		}
		if again := Sanitise(got); again != got {
			t.Errorf("Sanitise is not stable: %q, then %q", got, again)
		}
	})
}

// The escapes of JSON are a second way in.
func TestLineFieldsAreSanitised(t *testing.T) {
	raw := `{"event":"x\u001b[2K","jobId":"a\nb","deep":[{"k\u0007":"\u202e"}],"n":1.5}`
	got := newLine(timeZero, []byte(raw), "")
	want := Line{
		Text: raw, Event: `x\x1b[2K`, JobID: `a\nb`,
		Fields: map[string]any{
			"event": `x\x1b[2K`, "jobId": `a\nb`, "n": 1.5,
			"deep": []any{map[string]any{`k\x07`: `\u202e`}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLineThatIsNoLogLine(t *testing.T) {
	for _, raw := range []string{`plain`, `[1]`, `{"a":1} trailing`, `{"a":`, ``, `"x"`, `null`, strings.Repeat(`{"a":`, 20_000)} {
		if got := newLine(timeZero, []byte(raw), ""); got.Fields != nil || got.Event != "" {
			t.Errorf("newLine(%.30q) has fields %v", raw, got.Fields)
		}
	}
	if got := newLine(timeZero, []byte(`{"event":7,"jobId":null}`), ""); got.Event != "" || got.JobID != "" {
		t.Errorf("fields that are no strings became %q and %q", got.Event, got.JobID)
	}
}
