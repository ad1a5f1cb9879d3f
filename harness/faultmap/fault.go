// Package faultmap puts one fault at every command that a program sends to Redis
// for one job, and then two of them, and looks at what is left when all is quiet.
package faultmap

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/importer/harness/world/wire"
)

// Kind is what is done to a program at one of its commands.
type Kind string

// The kinds of fault.
const (
	CutBefore  Kind = "cut-before"  // the connection is closed, Redis never sees the command
	CutAfter   Kind = "cut-after"   // Redis executes the command, and its reply is lost
	KillBefore Kind = "kill-before" // the program is killed, Redis never sees the command
	KillAfter  Kind = "kill-after"  // Redis executes the command, and the program is killed
	// Freeze: the program stands still with the command on its way, until another one has
	// done its job; then the command arrives and the program goes on.
	Freeze Kind = "freeze"
	// FreezeCut: the same, and the command never arrives: the connection of a program that
	// stood still for long is gone when it wakes up, and its attempt fails.
	FreezeCut Kind = "freeze-cut"
)

// WorkerKinds happen to a worker, ProducerKinds to a producer, whose client asks again.
var (
	WorkerKinds   = []Kind{CutBefore, CutAfter, KillBefore, KillAfter, Freeze, FreezeCut}
	ProducerKinds = []Kind{CutBefore, CutAfter}
)

// Moment is where on its way the command is caught.
func (k Kind) Moment() wire.Moment {
	if k == CutAfter || k == KillAfter {
		return wire.AfterServer
	}
	return wire.BeforeServer
}

// Side is whose commands are counted.
type Side string

// The sides.
const (
	Worker   Side = "k" // the workers, whichever has the job
	Producer Side = "p"
)

// Fault is a fault at a command: the nth of the job's commands since the fault before
// it, or since the beginning.
type Fault struct {
	Side Side
	Step int // from 1
	Kind Kind
}

// String is the fault's name, such as k3/cut-after.
func (f Fault) String() string { return fmt.Sprintf("%s%d/%s", f.Side, f.Step, f.Kind) }

// Schedule is what happens in one cell, in order.
type Schedule []Fault

// String is the cell's name below its stage, such as k3/cut-after+k2/freeze.
func (s Schedule) String() string {
	var names []string
	for _, f := range s {
		names = append(names, f.String())
	}
	return strings.Join(names, "+")
}

// mostFaults is how many faults a cell may have.
const mostFaults = 2

// ParseCell reads the name of a cell, such as 07/k5/cut-after or
// 08/k3/kill-before+k2/freeze.
func ParseCell(name string) (stage string, schedule Schedule, err error) {
	stage, rest, ok := strings.Cut(name, "/")
	if !ok {
		return "", nil, fmt.Errorf("cell %q: allowed is STAGE/COMMAND/FAULT, such as 07/k5/cut-after", name)
	}
	parts := strings.Split(rest, "+")
	if len(parts) > mostFaults {
		return "", nil, fmt.Errorf("cell %q has %d faults: allowed are 1 and %d", name, len(parts), mostFaults)
	}
	for _, part := range parts {
		fault, err := parseFault(part)
		if err != nil {
			return "", nil, fmt.Errorf("cell %q: %w", name, err)
		}
		schedule = append(schedule, fault)
	}
	if len(schedule) == mostFaults && (schedule[0].Side == Producer || schedule[1].Side == Producer) {
		return "", nil, fmt.Errorf("cell %q: two faults are for workers (k) only", name)
	}
	return stage, schedule, nil
}

func parseFault(text string) (Fault, error) {
	step, kind, ok := strings.Cut(text, "/")
	if !ok || len(step) < 2 {
		return Fault{}, fmt.Errorf("fault %q: allowed is COMMAND/FAULT, such as k5/cut-after", text)
	}
	side, kinds := Side(step[:1]), WorkerKinds
	switch side {
	case Worker:
	case Producer:
		kinds = ProducerKinds
	default:
		return Fault{}, fmt.Errorf("command %q: allowed are k1, k2, ... of a worker and p1, p2, ... of the producer", step)
	}
	n, err := strconv.Atoi(step[1:])
	if err != nil || n < 1 {
		return Fault{}, fmt.Errorf("command %q: its number must be 1 or more", step)
	}
	for _, k := range kinds {
		if kind == string(k) {
			return Fault{Side: side, Step: n, Kind: k}, nil
		}
	}
	return Fault{}, fmt.Errorf("fault %q at command %s: allowed are %s", kind, step, kindNames(kinds))
}

func kindNames(kinds []Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
