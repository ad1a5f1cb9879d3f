package inside

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"

	"golang.org/x/sys/unix"
)

// Main serves the harness until it hangs up, and ends with it everything in the
// container. It returns the exit status.
func Main() int {
	// The program has our user, and must not look into us or end us. What is caught here is
	// its default again in the program, which it would not be if it was ignored.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "shield the first process:", err)
		return 1
	}
	signal.Notify(make(chan os.Signal, 1))
	conn, err := net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: Socket, Net: "unixpacket"})
	if err != nil {
		fmt.Fprintln(os.Stderr, "reach the harness:", err)
		return 1
	}
	s := &server{conn: conn}
	s.changed = sync.NewCond(&s.mu)
	receiver := NewReceiver(conn)
	for {
		var request Request
		files, err := receiver.Next(&request)
		if err != nil {
			return 0 // the harness is done with us, or gone
		}
		go s.serve(request, files)
	}
}

// server is what the first process knows.
type server struct {
	conn    *net.UnixConn
	sending sync.Mutex

	mu      sync.Mutex // guards what follows
	changed *sync.Cond
	pid     int    // of the program; 0 before it was started
	still   bool   // it stands still
	ended   *Ended // nil while it runs
	alone   bool   // after the start: nothing is left but us
}

// kinded is an error that the harness decides on.
type kinded struct {
	kind string
	error
}

func (s *server) serve(r Request, files []*os.File) {
	defer CloseAll(files)
	reply := Reply{ID: r.ID}
	out, err := s.do(r, files, &reply)
	defer CloseAll(out)
	var known kinded
	switch {
	case errors.As(err, &known):
		reply.Kind, reply.Error = known.kind, err.Error()
	case err != nil:
		reply.Error = err.Error()
	}
	s.send(reply, out...)
}

func (s *server) send(reply Reply, files ...*os.File) {
	s.sending.Lock()
	defer s.sending.Unlock()
	_ = Send(s.conn, reply, files...) // if it fails the harness is gone, and so are we soon
}

func (s *server) do(r Request, files []*os.File, reply *Reply) ([]*os.File, error) {
	switch r.Do {
	case Start:
		if len(files) != 2 {
			return nil, fmt.Errorf("start with %d files, not 2", len(files))
		}
		return nil, s.start(r, files[0], files[1])
	case Signal:
		return nil, s.signal(unix.Signal(r.Signal), r.All)
	case Stopped:
		return nil, s.awaitStopped()
	case Reap:
		reply.Ended = s.reap()
		return nil, nil
	case Listen:
		return listen(r.Addr)
	case Dial:
		return dial(r.Addr, r.Source)
	case Find:
		_, err := find(r.Path, "/")
		return nil, err
	case Copy:
		return nil, copyTree(r.Path, r.Dir)
	case Pack:
		if len(files) != 1 {
			return nil, fmt.Errorf("pack with %d files, not 1", len(files))
		}
		return nil, pack(r.Path, files[0])
	}
	return nil, fmt.Errorf("there is no request %q", r.Do)
}
