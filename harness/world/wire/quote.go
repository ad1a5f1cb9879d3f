package wire

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What String shows at most. A script body says enough in its first words; a key
// with a prefix and an id in it must stay whole, or the line cannot be replayed.
const (
	scriptRunes = 40
	argRunes    = 80
	shownArgs   = 24
)

// String is the command on one line that a person can read and paste into
// redis-cli. Arguments are quoted where redis-cli needs it; script bodies are
// cut to 40 characters, other arguments to 80, each ending in "…", and after 24
// arguments only their number is told.
//
// No byte of an argument can begin a new line or steer a terminal: everything
// that does not print is escaped.
func (c Command) String() string {
	if len(c.Args) == 0 {
		return "(not a command)"
	}
	var line strings.Builder
	for i, arg := range c.Args {
		if i == shownArgs {
			fmt.Fprintf(&line, " … (%d more)", len(c.Args)-i)
			break
		}
		if i > 0 {
			line.WriteByte(' ')
		}
		limit := argRunes
		if c.isScript(i) {
			limit = scriptRunes
		}
		line.WriteString(quote(arg, limit))
	}
	return line.String()
}

// isScript says whether argument i is the text of a program.
func (c Command) isScript(i int) bool {
	switch c.Name() {
	case "EVAL", "EVAL_RO":
		return i == 1
	case "SCRIPT", "FUNCTION":
		return i >= 2
	}
	return false
}

// quote writes arg as redis-cli would read it back, cut after limit runes.
func quote(arg string, limit int) string {
	var text strings.Builder
	plain := arg != ""
	shown := 0
	for rest := arg; rest != ""; shown++ {
		if shown == limit {
			text.WriteString("…")
			break
		}
		r, size := utf8.DecodeRuneInString(rest)
		piece := escape(r, rest[:size])
		if piece != rest[:size] || r == ' ' || r == '\'' {
			plain = false
		}
		text.WriteString(piece)
		rest = rest[size:]
	}
	if plain {
		return text.String()
	}
	return `"` + text.String() + `"`
}

// escape is one rune as it stands between double quotes. redis-cli knows \xHH
// for a byte but no escape for a rune, so other runes that print stay as they are.
func escape(r rune, raw string) string {
	switch {
	case r == '"' || r == '\\':
		return `\` + raw
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case unicode.IsPrint(r) && (r != utf8.RuneError || len(raw) > 1):
		return raw
	}
	var hex strings.Builder
	for i := range len(raw) {
		fmt.Fprintf(&hex, `\x%02x`, raw[i])
	}
	return hex.String()
}
