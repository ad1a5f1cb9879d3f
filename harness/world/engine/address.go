package engine

import (
	"context"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/moby/moby/client"
)

const hostVariable = "TESTCONTAINERS_HOST_OVERRIDE"

var (
	loopback  = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	anyDevice = netip.IPv4Unspecified()
)

// publishOn is the address of the Docker host where the container's port appears: the loopback
// device wherever that can be reached from here, as this Redis has no password.
func publishOn(ctx context.Context, docker *client.Client) netip.Addr {
	if !isLocal(docker) {
		return anyDevice
	}
	if host, set := os.LookupEnv(hostVariable); set {
		if host == "localhost" || host == loopback.String() {
			return loopback
		}
		return anyDevice
	}
	if !inContainer() || sharesNetwork(ctx, docker) {
		return loopback
	}
	return anyDevice
}

// candidates are the addresses at which the port may answer, best first. testcontainers takes the
// marker file of a container for proof that Docker runs outside of it, which is wrong for an engine
// inside the same container; so a local engine is first looked for here.
func candidates(docker *client.Client, port, testcontainersSays string) []string {
	hosts := []string{testcontainersSays}
	if _, overridden := os.LookupEnv(hostVariable); !overridden && isLocal(docker) {
		hosts = []string{loopback.String(), testcontainersSays}
	}
	var addrs []string
	for _, host := range hosts {
		if host == "localhost" {
			host = loopback.String() // the port is published for IPv4 alone
		}
		addrs = append(addrs, net.JoinHostPort(host, port))
	}
	return slices.Compact(addrs)
}

func isLocal(docker *client.Client) bool {
	return strings.HasPrefix(docker.DaemonHost(), "unix://")
}

func inContainer() bool {
	_, err := os.Stat("/.dockerenv")
	return err == nil
}

// sharesNetwork says whether the device of the engine's bridge is one of ours, which makes its
// loopback device ours too. From a container beside it we would see the bridge's network, but not
// the device.
func sharesNetwork(ctx context.Context, docker *client.Client) bool {
	bridge, err := docker.NetworkInspect(ctx, "bridge", client.NetworkInspectOptions{})
	if err != nil {
		return false
	}
	device, err := net.InterfaceByName(bridge.Network.Options["com.docker.network.bridge.name"])
	if err != nil {
		return false
	}
	addrs, err := device.Addrs()
	if err != nil {
		return false
	}
	for _, addr := range addrs {
		prefix, err := netip.ParsePrefix(addr.String())
		if err != nil {
			continue
		}
		for _, config := range bridge.Network.IPAM.Config {
			if config.Subnet.Contains(prefix.Addr()) {
				return true
			}
		}
	}
	return false
}
