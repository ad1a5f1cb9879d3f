package engine

import "slices"

// waysOut are the commands after which Redis connects to an address that its client names. A
// program without a network that is given a Redis would have the network of that. What it
// calls itself a replica for, FAILOVER hands over to.
var waysOut = []string{"MIGRATE", "REPLICAOF", "SLAVEOF", "FAILOVER"}

// settings are all arguments of the container's redis-server that the choice asks for.
func (c Choice) settings() []string {
	all := slices.Clone(c.Settings)
	if c.Closed {
		for _, name := range waysOut {
			all = append(all, "--rename-command", name, "") // to nothing: there is no such command
		}
	}
	return all
}
