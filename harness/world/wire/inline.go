package wire

import (
	"encoding/hex"
	"strings"
)

// splitInline splits an inline command the way Redis does: words are separated
// by white space; 'single' quotes know only \', "double" quotes know \n \r \t \b
// \a \xHH and any other character after a backslash; a closing quote must end
// the word.
func splitInline(line string) ([]string, error) {
	var args []string
	for rest := trimSpace(line); rest != ""; rest = trimSpace(rest) {
		word, after, ok := nextWord(rest)
		if !ok {
			return nil, malformed("unbalanced quotes in inline command %.40q", line)
		}
		args = append(args, word)
		rest = after
	}
	return args, nil
}

const inlineSpace = " \t\n\v\f\r\x00"

func trimSpace(s string) string { return strings.TrimLeft(s, inlineSpace) }

// nextWord takes one word off the front of s.
func nextWord(s string) (word, rest string, ok bool) {
	var out strings.Builder
	for s != "" && !strings.ContainsRune(inlineSpace, rune(s[0])) {
		if s[0] != '"' && s[0] != '\'' {
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		rest, ok := quoted(&out, s[1:], s[0])
		closesWord := rest == "" || strings.ContainsRune(inlineSpace, rune(rest[0]))
		return out.String(), rest, ok && closesWord
	}
	return out.String(), s, true
}

// quoted reads up to the closing quote mark and returns what follows it.
func quoted(out *strings.Builder, s string, mark byte) (rest string, ok bool) {
	for s != "" {
		switch {
		case s[0] == mark:
			return s[1:], true
		case s[0] == '\\' && mark == '"' && len(s) > 1:
			b, size := unescape(s)
			out.WriteByte(b)
			s = s[size:]
		case mark == '\'' && strings.HasPrefix(s, `\'`):
			out.WriteByte('\'')
			s = s[2:]
		default:
			out.WriteByte(s[0])
			s = s[1:]
		}
	}
	return "", false
}

// unescape reads the escape at the front of s, which has at least two bytes, and
// says how many bytes it takes.
func unescape(s string) (b byte, size int) {
	if len(s) >= 4 && s[1] == 'x' {
		if b, err := hex.DecodeString(s[2:4]); err == nil {
			return b[0], 4
		}
	}
	if i := strings.IndexByte("nrtba", s[1]); i >= 0 {
		return "\n\r\t\b\a"[i], 2
	}
	return s[1], 2
}
