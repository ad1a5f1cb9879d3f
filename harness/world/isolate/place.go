package isolate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/moby/moby/client"

	"example.com/importer/harness/world/isolate/inside"
	"example.com/importer/harness/world/program"
)

// reapWithin bounds the end of a program's remains; after that the container is killed.
const reapWithin = 5 * time.Second

// Place is one container, for one program: a program.Place, and a wire.Ground.
type Place struct {
	isolation *Isolation
	id        string
	link      *link
	keep      bool // after the program's end there is more to do here

	mu    sync.Mutex // guards what follows
	ended *inside.Ended
	doors []*door
	dead  chan struct{} // closed when the program has ended
	over  bool          // it is closed
}

// hasEnded notes the end of the program. From then on its servers refuse connections.
func (p *Place) hasEnded(e inside.Ended) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.over, p.ended = true, &e
	for _, d := range p.doors {
		d.listener.Close()
	}
	close(p.dead)
}

// awaitGone makes the end of the container the end of the program.
func (p *Place) awaitGone() {
	<-p.link.gone
	p.hasEnded(inside.Ended{Code: -1, Signal: int(syscall.SIGKILL)})
	p.mu.Lock()
	doors := p.doors
	p.mu.Unlock()
	for _, d := range doors {
		d.close()
	}
	p.isolation.mu.Lock()
	defer p.isolation.mu.Unlock()
	delete(p.isolation.live, p)
}

// Launch is that of program.Place.
func (p *Place) Launch(spec program.Spec, stdout, stderr *os.File) error {
	request := inside.Request{Do: inside.Start, Path: p.isolation.Inside(spec.Path), Args: spec.Args, Dir: p.isolation.Inside(spec.Dir)}
	for _, kv := range spec.Env {
		name, value, _ := strings.Cut(kv, "=")
		request.Env = append(request.Env, name+"="+p.isolation.Inside(value))
	}
	reply, err := p.link.ask(answerWithin, request, stdout, stderr)
	if err == nil {
		err = p.refusal(reply, request.Path)
	}
	if err != nil {
		p.Discard()
	}
	return err
}

// refusal is the error in an answer.
func (p *Place) refusal(reply answer, path string) error {
	switch {
	case reply.Kind == inside.NoTool:
		return fmt.Errorf("%s %w of the image %s; name one that has it with --image", program.Sanitise(path), program.ErrNoTool, p.isolation.Image)
	case reply.Kind == inside.Exited:
		return program.ErrExited
	case reply.Error != "":
		return errors.New(program.Sanitise(reply.Error))
	}
	return nil
}

// Signal is that of program.Place.
func (p *Place) Signal(sig syscall.Signal, all bool) error {
	reply, err := p.link.ask(answerWithin, inside.Request{Do: inside.Signal, Signal: int(sig), All: all})
	if err != nil {
		// A first process that does not do as it is told is of no use any more.
		p.kill()
		return program.ErrExited
	}
	return p.refusal(reply, "")
}

// AwaitStopped is that of program.Place.
func (p *Place) AwaitStopped() error {
	reply, err := p.link.ask(0, inside.Request{Do: inside.Stopped})
	if errors.Is(err, errGone) {
		return program.ErrExited
	}
	return p.refusal(reply, "")
}

// AwaitEnd is that of program.Place.
func (p *Place) AwaitEnd() { <-p.dead }

// Reap is that of program.Place.
func (p *Place) Reap() program.Exit {
	ended := *p.ended
	reply, err := p.link.ask(reapWithin, inside.Request{Do: inside.Reap})
	if err == nil && reply.Ended != nil {
		ended.Orphans = reply.Ended.Orphans
		ended.OutOfMemory = ended.OutOfMemory || reply.Ended.OutOfMemory
	} else {
		p.kill()
	}
	if !p.keep {
		p.Discard()
	}
	exit := program.Exit{Code: ended.Code, Orphans: ended.Orphans, OutOfMemory: ended.OutOfMemory}
	if ended.Signal != 0 {
		exit.Code, exit.Signal = -1, unix.SignalName(syscall.Signal(ended.Signal))
	}
	return exit
}

// Discard gives the place back: everything in it ends, if anything is there.
func (p *Place) Discard() { p.link.conn.Close() }

// kill ends a container that does not listen.
func (p *Place) kill() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	// That it is gone is what is wanted, and what Close looks for.
	_, _ = p.isolation.docker.ContainerKill(ctx, p.id, client.ContainerKillOptions{Signal: "KILL"})
	p.Discard()
}

// Redis is where the program finds its Redis: the default of the contract.
func (p *Place) Redis() string { return redisAddr }

// Listen is that of wire.Ground.
func (p *Place) Listen(addr string) (net.Listener, error) {
	reply, err := p.link.ask(answerWithin, inside.Request{Do: inside.Listen, Addr: addr})
	if err != nil {
		return nil, err
	}
	if err := p.refusal(reply, ""); err != nil {
		return nil, err
	}
	if reply.file == nil {
		return nil, errGone
	}
	defer reply.file.Close()
	listener, err := net.FileListener(reply.file)
	if err != nil {
		return nil, err
	}
	if _, ok := listener.(*net.TCPListener); !ok {
		listener.Close()
		return nil, errGone
	}
	return listener, nil
}

// Dial is that of wire.Ground.
func (p *Place) Dial(_ context.Context, addr string) (net.Conn, error) { return p.dial(addr, "") }

func (p *Place) dial(addr, source string) (*net.TCPConn, error) {
	reply, err := p.link.ask(answerWithin, inside.Request{Do: inside.Dial, Addr: addr, Source: source})
	if err != nil {
		return nil, err
	}
	if strings.Contains(reply.Error, "connection refused") {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	if err := p.refusal(reply, ""); err != nil {
		return nil, err
	}
	if reply.file == nil {
		return nil, errGone
	}
	defer reply.file.Close()
	conn, err := net.FileConn(reply.file)
	if err != nil {
		return nil, err
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		conn.Close()
		return nil, errGone
	}
	return tcp, nil
}
