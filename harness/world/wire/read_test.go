package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2/proto"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// rawValues has one value of each type, alone and nested.
var rawValues = []string{
	"+OK\r\n", "+\r\n", "-ERR no\r\n", ":-12\r\n", ",3.25\r\n", ",inf\r\n", "_\r\n",
	"#t\r\n", "#f\r\n", "(3492890328409238509324850943850943825024385\r\n",
	"$0\r\n\r\n", "$5\r\na\r\n\x00b\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n",
	"=8\r\ntxt:some\r\n", "!9\r\nSYNTAX no\r\n",
	"*2\r\n:1\r\n*1\r\n$1\r\na\r\n", "~2\r\n#t\r\n_\r\n", "%1\r\n+a\r\n(12\r\n",
	">2\r\n$7\r\nmessage\r\n$1\r\na\r\n",
	"|1\r\n+ttl\r\n:3600\r\n$1\r\na\r\n", "*1\r\n|1\r\n+ttl\r\n:3600\r\n:1\r\n",
	"$?\r\n;4\r\nHell\r\n;1\r\no\r\n;0\r\n", "*?\r\n:1\r\n*?\r\n.\r\n.\r\n", "%?\r\n+a\r\n:1\r\n.\r\n", "~?\r\n.\r\n",
}

func TestReadReply(t *testing.T) {
	for _, raw := range rawValues {
		in := &rawReader{in: bufio.NewReader(strings.NewReader(raw + "+next\r\n"))}
		got, err := readReply(in)
		want := reply{raw: raw, push: raw[0] == '>'}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(reply{})); diff != "" || err != nil {
			t.Errorf("readReply(%q): %v\n%s", raw, err, diff)
		}
		for i := 1; i < len(raw); i++ {
			_, err := readReply(&rawReader{in: bufio.NewReader(strings.NewReader(raw[:i]))})
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("readReply(%q): %v, want an unexpected end", raw[:i], err)
			}
		}
	}
}

func TestReadReplyRefuses(t *testing.T) {
	for name, raw := range map[string]string{
		"unknown type":       "HTTP/1.1 200 OK\r\n",
		"empty line":         "\r\n",
		"no carriage return": "+OK\n",
		"no length":          "$\r\n",
		"length too small":   "*-2\r\n",
		"length too big":     "$99999999999999\r\n",
		"string too long":    "$1\r\nab\r\n",
		"stray stream end":   ".\r\n",
		"stream end inside":  "*2\r\n:1\r\n.\r\n",
		"half a map entry":   "%?\r\n:1\r\n.\r\n",
		"no chunk":           "$?\r\n$1\r\na\r\n",
		"negative chunk":     "$?\r\n;-1\r\n",
		"too deep":           strings.Repeat("*1\r\n", 200) + ":1\r\n",
		"endless line":       "+" + strings.Repeat("a", maxReply+1),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := readReply(&rawReader{in: bufio.NewReader(strings.NewReader(raw))})
			if !errors.Is(err, errMalformed) {
				t.Errorf("readReply(%.40q) = %.40q, %v", raw, got.raw, err)
			}
		})
	}
}

func TestReadCommand(t *testing.T) {
	for _, tt := range []struct {
		raw  string
		want []string
	}{
		{"*2\r\n$3\r\nGET\r\n$3\r\na\r\n\r\n", []string{"GET", "a\r\n"}},
		{"*1\r\n$0\r\n\r\n", []string{""}},
		{"PING\r\n", []string{"PING"}},
		{"SET k \"a b\"\n", []string{"SET", "k", "a b"}},
		{"\r\n", nil}, {"*0\r\n", nil}, {"*-1\r\n", nil},
	} {
		in := newRawReader(strings.NewReader(tt.raw + "PING\r\n"))
		got, err := readCommand(in)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("readCommand(%q): %v\n%s", tt.raw, err, diff)
		}
		if diff := cmp.Diff(tt.raw, in.raw.String()); diff != "" {
			t.Errorf("bytes of %q:\n%s", tt.raw, diff)
		}
	}
}

func TestReadCommandRefuses(t *testing.T) {
	for name, raw := range map[string]string{
		"not a string":      "*1\r\n:1\r\n",
		"null argument":     "*1\r\n$-1\r\n",
		"no number":         "*x\r\n",
		"too many":          "*1048577\r\n",
		"string too big":    "*1\r\n$536870913\r\n",
		"string too long":   "*1\r\n$1\r\nab\r\n",
		"bare line feed":    "*1\n$1\r\na\r\n",
		"unbalanced quotes": "GET \"a\r\n",
		"endless line":      strings.Repeat("a", maxLine+1),
	} {
		t.Run(name, func(t *testing.T) {
			args, err := readCommand(newRawReader(strings.NewReader(raw)))
			if !errors.Is(err, errMalformed) {
				t.Errorf("readCommand(%.40q) = %.40q, %v", raw, args, err)
			}
		})
	}
}

// A reply that is read keeps its bytes, and is the same to miniredis's reader
// wherever that knows the types.
func FuzzReadReply(f *testing.F) {
	for _, raw := range rawValues {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := readReply(&rawReader{in: bufio.NewReader(bytes.NewReader(data))})
		if err != nil {
			return
		}
		if !bytes.HasPrefix(data, []byte(got.raw)) {
			t.Fatalf("read %q from %q", got.raw, data)
		}
		known, err := proto.Read(bufio.NewReader(bytes.NewReader(data)))
		if err == nil && known != got.raw {
			t.Fatalf("read %q, miniredis reads %q", got.raw, known)
		}
	})
}

// A command that is read keeps its bytes and means the same when written anew.
func FuzzReadCommand(f *testing.F) {
	f.Add([]byte("*2\r\n$3\r\nGET\r\n$1\r\na\r\n"))
	f.Add([]byte("SET k \"a\\x00b\" 'c'\r\n"))
	f.Add([]byte("*0\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newRawReader(bytes.NewReader(data))
		args, err := readCommand(in)
		if err != nil {
			return
		}
		if !bytes.HasPrefix(data, in.raw.Bytes()) {
			t.Fatalf("read %q from %q", in.raw.Bytes(), data)
		}
		var anew bytes.Buffer
		_ = proto.Write(&anew, args)
		again, err := readCommand(newRawReader(&anew))
		if diff := cmp.Diff(args, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("written anew: %v\n%s", err, diff)
		}
	})
}
