package wire

import "strings"

// This reader exists because proto.Read of miniredis knows RESP3 only in part: it
// refuses booleans, big numbers, verbatim strings, blob errors, attributes and
// streamed values, also within arrays, where nothing around it could help; and it
// believes any length it is told. What it does read, the tests compare.

// reply is one whole value from the server.
type reply struct {
	raw  string
	push bool // out of band: it answers no command
}

// readReply reads one value. Attributes are part of the value they stand before.
func readReply(r *rawReader) (reply, error) {
	r.begin()
	kind, err := readValue(r, 0)
	if err != nil {
		return reply{}, endOfInput(r, err)
	}
	return reply{raw: r.raw.String(), push: kind == '>'}, nil
}

// readValue reads one value of any type, with all that is within, and returns the
// character of its type: '.' for the end of a streamed array.
func readValue(r *rawReader, depth int) (byte, error) {
	if depth > maxDepth {
		return 0, malformed("more than %d values within each other", maxDepth)
	}
	line, err := r.header(maxReply)
	if err != nil {
		return 0, err
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+', '-', ':', ',', '_', '#', '(':
		return kind, nil
	case '.':
		if depth == 0 {
			return 0, malformed("end of a stream that has not begun")
		}
		return kind, nil
	case '$', '=', '!':
		return kind, readString(r, rest)
	case '*', '~', '>':
		return kind, readElements(r, rest, 1, depth)
	case '%':
		return kind, readElements(r, rest, 2, depth)
	case '|':
		if err := readElements(r, rest, 2, depth); err != nil {
			return 0, err
		}
		return readValue(r, depth+1)
	}
	return 0, malformed("value of unknown type %q", kind)
}

func readString(r *rawReader, size string) error {
	if size == "?" {
		return readChunks(r)
	}
	n, err := length(size, maxBulk)
	if err != nil || n < 0 {
		return err
	}
	_, err = r.bulk(n)
	return err
}

// readChunks reads a streamed string: ";4\r\nabcd\r\n" and so on, until ";0\r\n".
func readChunks(r *rawReader) error {
	for {
		line, err := r.header(maxLine)
		if err != nil {
			return err
		}
		size, ok := strings.CutPrefix(line, ";")
		if !ok {
			return malformed("chunk begins with %.40q, want ';'", line)
		}
		n, err := length(size, maxBulk)
		if err != nil || n == 0 {
			return err
		}
		if n < 0 {
			return malformed("chunk of length %d", n)
		}
		if _, err := r.bulk(n); err != nil {
			return err
		}
	}
}

// readElements reads what an array or map contains; each is the number of values
// that one element has. A streamed one ends in ".\r\n".
func readElements(r *rawReader, size string, each, depth int) error {
	streamed := size == "?"
	n := 0
	if !streamed {
		var err error
		if n, err = length(size, 1<<30); err != nil {
			return err
		}
	}
	for i := 0; streamed || i < n*each; i++ {
		kind, err := readValue(r, depth+1)
		if err != nil {
			return err
		}
		if kind != '.' {
			continue
		}
		if !streamed || i%each != 0 {
			return malformed("end of a stream where a value should be")
		}
		return nil
	}
	return nil
}
