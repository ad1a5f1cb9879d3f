package inside

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// maxMessage bounds one message, in bytes. A program's arguments and environment are in it.
const maxMessage = 128 << 10

// What can be asked for.
const (
	Start   = "start"   // Path, Args, Env, Dir, and two files: stdout and stderr
	Signal  = "signal"  // Signal, All
	Stopped = "stopped" // answered when the program stands still
	Reap    = "reap"    // ends everything; answered with Ended
	Listen  = "listen"  // Addr; answered with a listening socket
	Dial    = "dial"    // Addr, Source; answered with a connected socket
	Find    = "find"    // Path; answered with an error if there is no such program
	Copy    = "copy"    // Path to Dir, a folder's content
	Pack    = "pack"    // Path, and a file that the folder is written to as a tar archive
)

// Request is what the harness asks for. It is answered once, with its ID.
type Request struct {
	ID     int      `json:"id"`
	Do     string   `json:"do"`
	Path   string   `json:"path,omitempty"`
	Args   []string `json:"args,omitempty"`
	Env    []string `json:"env,omitempty"` // each NAME=value
	Dir    string   `json:"dir,omitempty"`
	Signal int      `json:"signal,omitempty"`
	All    bool     `json:"all,omitempty"`    // the signal goes to every process here
	Addr   string   `json:"addr,omitempty"`   // host:port
	Source string   `json:"source,omitempty"` // the IP address to connect from; empty: any
}

// Reply is an answer or, with ID 0, the news that the program has ended.
type Reply struct {
	ID    int    `json:"id"`
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"` // of an error that somebody decides on
	Ended *Ended `json:"ended,omitempty"`
}

// The kinds of errors.
const (
	NoTool = "no_tool" // there is no such program
	Exited = "exited"  // the program has ended
)

// Ended is how the program ended.
type Ended struct {
	Code        int  `json:"code"`             // its exit status; -1 if a signal ended it
	Signal      int  `json:"signal,omitempty"` // that signal
	Orphans     bool `json:"orphans,omitempty"`
	OutOfMemory bool `json:"outOfMemory,omitempty"`
}

// Send writes one message with the files that go along, which stay the caller's.
func Send(conn *net.UnixConn, message any, files ...*os.File) error {
	content, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	if len(content) > maxMessage {
		return fmt.Errorf("a message of %d bytes; at most %d are allowed", len(content), maxMessage)
	}
	var rights []byte
	if len(files) > 0 {
		fds := make([]int, len(files))
		for i, f := range files {
			fds[i] = int(f.Fd())
		}
		rights = syscall.UnixRights(fds...)
	}
	_, _, err = conn.WriteMsgUnix(content, rights, nil)
	return err
}

// Receiver reads the messages of one connection.
type Receiver struct {
	conn    *net.UnixConn
	content []byte
	rights  []byte
}

// NewReceiver makes a receiver.
func NewReceiver(conn *net.UnixConn) *Receiver {
	return &Receiver{conn: conn, content: make([]byte, maxMessage+1), rights: make([]byte, 256)}
}

// errTooLong is a message that was cut off.
var errTooLong = errors.New("a message is too long")

// Next reads a message into target. The files that came with it are the caller's to close.
func (r *Receiver) Next(target any) ([]*os.File, error) {
	n, m, flags, _, err := r.conn.ReadMsgUnix(r.content, r.rights)
	if err != nil {
		return nil, err
	}
	files := filesOf(r.rights[:m])
	if n == 0 {
		err = net.ErrClosed
	} else if flags&(syscall.MSG_TRUNC|syscall.MSG_CTRUNC) != 0 || n > maxMessage {
		err = errTooLong
	} else {
		err = json.Unmarshal(r.content[:n], target)
	}
	if err != nil {
		CloseAll(files)
		return nil, err
	}
	return files, nil
}

func filesOf(rights []byte) []*os.File {
	messages, err := syscall.ParseSocketControlMessage(rights)
	if err != nil {
		return nil
	}
	var files []*os.File
	for i := range messages {
		fds, err := syscall.ParseUnixRights(&messages[i])
		if err != nil {
			continue
		}
		for _, fd := range fds {
			syscall.CloseOnExec(fd)
			files = append(files, os.NewFile(uintptr(fd), "received"))
		}
	}
	return files
}

// CloseAll closes files.
func CloseAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
