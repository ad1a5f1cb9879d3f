package inside

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"
)

// dialFor bounds a connection within the container.
const dialFor = 5 * time.Second

// listen opens a listening socket of this container's network and hands it over: what
// connects to it is accepted by the harness, and refused when the harness closes it.
func listen(addr string) ([]*os.File, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return nil, err
	}
	return []*os.File{file}, nil
}

// dial connects to a server here, from the given address if it is of the same kind as the
// server's.
func dial(addr, source string) ([]*os.File, error) {
	dialer := net.Dialer{Timeout: dialFor}
	if from, err := netip.ParseAddr(source); err == nil && from.IsLoopback() && sameKind(addr, from) {
		dialer.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	conn, err := dialer.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil, errors.New("no TCP connection")
	}
	file, err := tcp.File()
	if err != nil {
		return nil, err
	}
	return []*os.File{file}, nil
}

func sameKind(addr string, from netip.Addr) bool {
	to, err := netip.ParseAddrPort(addr)
	return err == nil && to.Addr().Is4() == from.Is4()
}
