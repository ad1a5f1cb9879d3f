package program

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"
)

// readFrom cuts r into lines until it ends, and always goes on reading: a
// reader that stops at its bound would block the program in its next write.
// The end of r is no error; any other end is returned, after what was read of
// the last line has been kept.
func (s *stream) readFrom(r io.Reader) error {
	br := bufio.NewReaderSize(r, 32<<10)
	var line []byte
	cut := 0
	emit := func() {
		note := ""
		if cut > 0 {
			note = fmt.Sprintf(" ... (%d bytes cut off)", cut)
		}
		s.add(newLine(time.Now(), line, note))
		line, cut = line[:0], 0
	}
	for {
		part, err := br.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		room := min(len(part), s.limits.MaxLine-len(line))
		line = append(line, part[:room]...)
		cut += len(part) - room
		switch {
		case err == nil:
			emit()
		case errors.Is(err, bufio.ErrBufferFull):
			// The line goes on.
		default:
			if len(line) > 0 || cut > 0 {
				emit()
			}
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}
