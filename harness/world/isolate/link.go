package isolate

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"example.com/importer/harness/world/isolate/inside"
)

// answerWithin bounds the answer to what the first process does at once. One that does not
// answer has been harmed by its program.
const answerWithin = 10 * time.Second

// errGone means that the container's first process is not there any more, or does not
// do what it is there for.
var errGone = errors.New("the container is gone")

// link is the connection to the first process of a container.
type link struct {
	conn    *net.UnixConn
	sending sync.Mutex

	mu    sync.Mutex // guards what follows
	last  int
	asked map[int]chan answer // by the ID of the request
	gone  chan struct{}       // closed when nothing comes any more
}

type answer struct {
	inside.Reply
	file *os.File // nil if none came
}

func newLink(conn *net.UnixConn) *link {
	return &link{conn: conn, asked: map[int]chan answer{}, gone: make(chan struct{})}
}

// read hands out answers until the connection ends, and news of the program's end to
// ended.
func (l *link) read(ended func(inside.Ended)) {
	receiver := inside.NewReceiver(l.conn)
	for {
		var reply inside.Reply
		files, err := receiver.Next(&reply)
		if err != nil {
			break
		}
		l.mu.Lock()
		waiting := l.asked[reply.ID]
		delete(l.asked, reply.ID)
		l.mu.Unlock()
		if reply.ID == 0 && reply.Ended != nil {
			ended(*reply.Ended)
		}
		if waiting == nil || len(files) > 1 {
			inside.CloseAll(files)
			continue
		}
		a := answer{Reply: reply}
		if len(files) == 1 {
			a.file = files[0]
		}
		waiting <- a
	}
	l.conn.Close()
	close(l.gone)
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, waiting := range l.asked {
		close(waiting)
		delete(l.asked, id)
	}
}

// ask sends a request and waits for its answer: for so long, or without end if within is 0.
// Its error wraps errGone if none comes.
func (l *link) ask(within time.Duration, request inside.Request, files ...*os.File) (answer, error) {
	waiting := make(chan answer, 1)
	l.mu.Lock()
	l.last++
	request.ID = l.last
	l.asked[request.ID] = waiting
	l.mu.Unlock()
	defer l.forget(request.ID, waiting)

	l.sending.Lock()
	err := l.conn.SetWriteDeadline(time.Now().Add(answerWithin))
	if err == nil {
		err = inside.Send(l.conn, request, files...)
	}
	l.sending.Unlock()
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", errGone, err)
	}
	var late <-chan time.Time
	if within > 0 {
		timer := time.NewTimer(within)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case a, ok := <-waiting:
		if !ok {
			return answer{}, errGone
		}
		return a, nil
	case <-l.gone:
		return answer{}, errGone
	case <-late:
		return answer{}, fmt.Errorf("%w: it did not %s within %v", errGone, request.Do, within)
	}
}

// forget closes the file of an answer that came too late.
func (l *link) forget(id int, waiting chan answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.asked, id)
	select {
	case a := <-waiting:
		if a.file != nil {
			a.file.Close()
		}
	default:
	}
}
