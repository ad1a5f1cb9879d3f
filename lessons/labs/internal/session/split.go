package session

import (
	"errors"
	"strconv"
	"strings"
)

var errQuotes = errors.New("a quote is not closed, or something follows it")

// split takes a line apart as redis-cli does: at spaces, except in quotes. In double quotes a backslash
// begins \n, \r, \t, \a, \b and \xHH, and makes any other character itself; in single quotes only \' is
// known.
func split(line string) ([]string, error) {
	var args []string
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return args, nil
		}
		arg, rest, err := next(line)
		if err != nil {
			return nil, err
		}
		args, line = append(args, arg), rest
	}
}

func next(line string) (arg, rest string, err error) {
	var b strings.Builder
	for line != "" && line[0] != ' ' && line[0] != '\t' {
		if line[0] != '"' && line[0] != '\'' {
			b.WriteByte(line[0])
			line = line[1:]
			continue
		}
		text, after, err := quoted(line[0], line[1:])
		if err != nil {
			return "", "", err
		}
		b.WriteString(text)
		line = after
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			return "", "", errQuotes
		}
	}
	return b.String(), line, nil
}

var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'a': '\a', 'b': '\b'}

func quoted(quote byte, line string) (text, rest string, err error) {
	var b strings.Builder
	for line != "" {
		c := line[0]
		line = line[1:]
		switch {
		case c == quote:
			return b.String(), line, nil
		case c != '\\' || line == "" || quote == '\'' && line[0] != '\'':
			b.WriteByte(c)
			continue
		}
		escaped := line[0]
		line = line[1:]
		if code, ok := hex(escaped, line); ok {
			b.WriteByte(code)
			line = line[2:]
		} else if special, known := escapes[escaped]; known && quote == '"' {
			b.WriteByte(special)
		} else {
			b.WriteByte(escaped)
		}
	}
	return "", "", errQuotes
}

func hex(escaped byte, line string) (byte, bool) {
	if escaped != 'x' || len(line) < 2 {
		return 0, false
	}
	code, err := strconv.ParseUint(line[:2], 16, 8)
	return byte(code), err == nil
}
