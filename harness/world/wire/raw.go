package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Bounds for what one value may claim. The first three are Redis's own limits; a
// sender that exceeds them is not speaking the protocol.
const (
	maxLine  = 64 << 10  // bytes of a header or inline command
	maxBulk  = 512 << 20 // bytes of one string
	maxArgs  = 1 << 20   // arguments of one command
	maxReply = 1 << 20   // bytes of a one-line reply, such as a script's error
	maxDepth = 128       // arrays within arrays
)

// errMalformed is wrapped by every error about bytes that are not RESP.
var errMalformed = errors.New("malformed RESP")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errMalformed, fmt.Sprintf(format, args...))
}

// rawReader reads the pieces of RESP values and keeps their bytes, so that they
// can be passed on exactly as they came.
type rawReader struct {
	in  *bufio.Reader
	raw bytes.Buffer
}

// begin starts a new value.
func (r *rawReader) begin() { r.raw = bytes.Buffer{} }

// partial says whether the value begun has some bytes already.
func (r *rawReader) partial() bool { return r.raw.Len() > 0 }

// line reads up to and including \n and returns it without its line end.
func (r *rawReader) line(limit int) (string, error) {
	start := r.raw.Len()
	for {
		piece, err := r.in.ReadSlice('\n')
		r.raw.Write(piece)
		if r.raw.Len()-start > limit {
			return "", malformed("line of more than %d bytes", limit)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			return "", err
		}
		line := r.raw.Bytes()[start : r.raw.Len()-1]
		return string(bytes.TrimSuffix(line, []byte("\r"))), nil
	}
}

// header reads a line that must end in \r\n, and of which at least the type is
// there.
func (r *rawReader) header(limit int) (string, error) {
	line, err := r.line(limit)
	if err != nil {
		return "", err
	}
	if line == "" || !bytes.HasSuffix(r.raw.Bytes(), []byte("\r\n")) {
		return "", malformed("line %.40q where a value should begin", line)
	}
	return line, nil
}

// bulk reads n bytes and the \r\n after them. The buffer grows with what really
// arrives: a claimed length alone costs nothing.
func (r *rawReader) bulk(n int) (string, error) {
	start := r.raw.Len()
	if _, err := io.CopyN(&r.raw, r.in, int64(n)+2); err != nil {
		return "", err
	}
	whole := r.raw.Bytes()[start:]
	if !bytes.HasSuffix(whole, []byte("\r\n")) {
		return "", malformed("string of %d bytes without \\r\\n after it", n)
	}
	return string(whole[:n]), nil
}

// length reads a decimal from -1 to limit.
func length(digits string, limit int) (int, error) {
	n, err := strconv.Atoi(digits)
	if err != nil || n < -1 || n > limit {
		return 0, malformed("length %.40q", digits)
	}
	return n, nil
}
