package session

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"
)

// render shows a reply as redis-cli shows it to a person: a status bare, a string in quotes.
func render(reply any) string {
	var b strings.Builder
	write(&b, reply, "")
	return strings.TrimSuffix(b.String(), "\n")
}

// write begins where the cursor is. indent is what comes before the further lines.
func write(b *strings.Builder, reply any, indent string) {
	switch r := reply.(type) {
	case nil:
		b.WriteString("(nil)\n")
	case redis.Error:
		fmt.Fprintf(b, "(error) %s\n", string(r))
	case string:
		fmt.Fprintf(b, "%s\n", r)
	case []byte:
		fmt.Fprintf(b, "%s\n", quote(r))
	case int64:
		fmt.Fprintf(b, "(integer) %d\n", r)
	case []any:
		if len(r) == 0 {
			b.WriteString("(empty array)\n")
		}
		width := len(strconv.Itoa(len(r)))
		for i, item := range r {
			if i > 0 {
				b.WriteString(indent)
			}
			fmt.Fprintf(b, "%*d) ", width, i+1)
			write(b, item, indent+strings.Repeat(" ", width+2))
		}
	default:
		panic(fmt.Sprintf("a reply of type %T is none of Redis's second protocol", reply))
	}
}

// quote knows bytes and no letters beyond ASCII, as redis-cli does.
func quote(text []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '\\' || c == '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= ' ' && c <= '~':
			b.WriteByte(c)
		default:
			b.WriteString(unprintable(c))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func unprintable(c byte) string {
	for letter, code := range escapes {
		if code == c {
			return `\` + string(letter)
		}
	}
	return fmt.Sprintf(`\x%02x`, c)
}
