package isolate

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
)

// door makes a server of a container reachable from this machine: it listens on loopback,
// and whoever connects is connected to the server from the address that they have here.
type door struct {
	place    *Place
	listener net.Listener
	addr     string // of the server, in the container

	mu    sync.Mutex // guards what follows
	conns map[*net.TCPConn]struct{}
	over  bool
}

// Publish is that of program.Place.
func (p *Place) Publish(url string) (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listen for %s: %w", url, err)
	}
	d := &door{place: p, listener: listener, addr: strings.TrimPrefix(url, "http://"), conns: map[*net.TCPConn]struct{}{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		listener.Close()
	}
	p.doors = append(p.doors, d)
	p.isolation.running.Go(d.serve)
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	if !strings.HasPrefix(d.addr, "127.0.0.1:") {
		host = "localhost" // of a server elsewhere nobody knows whether it can tell one of our addresses from another
	}
	return "http://" + net.JoinHostPort(host, port), nil
}

func (d *door) serve() {
	for {
		client, err := d.listener.Accept()
		if err != nil {
			return
		}
		d.place.isolation.running.Go(func() { d.carry(client.(*net.TCPConn)) })
	}
}

// carry connects the two until both have said all, and passes on how each of them ended.
func (d *door) carry(client *net.TCPConn) {
	defer client.Close()
	source, _, _ := net.SplitHostPort(client.RemoteAddr().String())
	server, err := d.place.dial(d.addr, source)
	if err != nil {
		_ = client.SetLinger(0) // refused, as nearly as can be said by now
		return
	}
	defer server.Close()
	if !d.keep(client, server) {
		return
	}
	defer d.forget(client, server)
	var directions sync.WaitGroup
	for _, pair := range [][2]*net.TCPConn{{client, server}, {server, client}} {
		directions.Go(func() {
			if _, err := io.Copy(pair[0], pair[1]); err == nil {
				err = pair[0].CloseWrite()
				if err == nil {
					return
				}
			}
			for _, conn := range pair {
				_ = conn.SetLinger(0)
				conn.Close()
			}
		})
	}
	directions.Wait()
}

func (d *door) keep(conns ...*net.TCPConn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, conn := range conns {
		d.conns[conn] = struct{}{}
	}
	return !d.over
}

func (d *door) forget(conns ...*net.TCPConn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, conn := range conns {
		delete(d.conns, conn)
	}
}

// close ends the door with all that goes through it.
func (d *door) close() {
	d.listener.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = true
	for conn := range d.conns {
		conn.Close()
	}
}
