package wire

import (
	"bufio"
	"bytes"
	"io"
)

// readCommand reads one command: an array of strings or, as Redis allows for
// people with telnet, an inline command. Its bytes are in r.raw. Empty commands
// have no args; Redis skips them without an answer.
//
// The error is io.EOF only if the input ended between two commands.
func readCommand(r *rawReader) ([]string, error) {
	r.begin()
	line, err := r.line(maxLine)
	if err != nil {
		return nil, endOfInput(r, err)
	}
	if line == "" || line[0] != '*' {
		return splitInline(line)
	}
	if !bytes.HasSuffix(r.raw.Bytes(), []byte("\r\n")) {
		return nil, malformed("array header %.40q without \\r\\n after it", line)
	}
	count, err := length(line[1:], maxArgs)
	if err != nil {
		return nil, err
	}
	var args []string
	for range max(count, 0) {
		arg, err := readArg(r)
		if err != nil {
			return nil, endOfInput(r, err)
		}
		args = append(args, arg)
	}
	return args, nil
}

func readArg(r *rawReader) (string, error) {
	header, err := r.header(maxLine)
	if err != nil {
		return "", err
	}
	if header[0] != '$' {
		return "", malformed("argument begins with %q, want '$'", header[0])
	}
	n, err := length(header[1:], maxBulk)
	if err != nil {
		return "", err
	}
	if n < 0 {
		return "", malformed("argument of length %d", n)
	}
	return r.bulk(n)
}

// endOfInput tells an end within a value from one between values.
func endOfInput(r *rawReader, err error) error {
	if err == io.EOF && r.partial() {
		return io.ErrUnexpectedEOF
	}
	return err
}

func newRawReader(in io.Reader) *rawReader {
	return &rawReader{in: bufio.NewReaderSize(in, 16<<10)}
}
