package program

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sanitise returns s as one line that only prints: control characters, escape
// sequences, line breaks and invisible or direction-changing characters are
// shown as escapes (\x1b, \n, \u202e), and every invalid byte becomes U+FFFD.
//
// A program under test may print anything. Shown raw, it could move the cursor
// up and repaint a report line, or write a line that looks like a verdict.
// A backslash stays one backslash, because JSON log lines are full of them: an
// escape that the program spelled out itself looks the same and does no harm.
func Sanitise(s string) string {
	if printable(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s { // an invalid byte ranges as U+FFFD
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// printable reports whether Sanitise would change nothing, so that the common
// case costs no copy.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// sanitiseLines does the same to each line of a longer text and keeps the
// line breaks.
func sanitiseLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = Sanitise(l)
	}
	return strings.Join(lines, "\n")
}

// sanitiseValue does it to every string inside a decoded JSON value. The
// escapes of JSON would otherwise carry control characters past the line.
func sanitiseValue(v any) any {
	switch v := v.(type) {
	case string:
		return Sanitise(v)
	case []any:
		for i := range v {
			v[i] = sanitiseValue(v[i])
		}
		return v
	case map[string]any:
		clean := make(map[string]any, len(v))
		for k, e := range v {
			clean[Sanitise(k)] = sanitiseValue(e)
		}
		return clean
	default:
		return v
	}
}
