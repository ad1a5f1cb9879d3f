package faultmap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/importer/harness/results"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/wire"
)

// The lanes that are no program.
const (
	laneClient = "client"
	laneServer = "server"
	laneRedis  = "Redis"
)

// Told is a line of a story with its place in time.
type Told struct {
	At   time.Time
	Line results.StoryLine
	Run  bool // a plain command, which may stand in one line with the next
}

// story tells what happened: who did what, in the order in which it happened. Commands
// that nothing happened to stand together.
func (p *play) story(scripts map[string]string, end string) []results.StoryLine {
	var all []Told
	for _, m := range p.marks {
		to := ""
		if m.lane == laneClient {
			to = laneServer
		}
		all = append(all, Told{At: m.at, Line: results.StoryLine{Lane: m.lane, To: to, Text: m.text}})
	}
	all = append(all, p.commands(&actor{name: laneServer, wire: p.server.Wire}, scripts)...)
	for _, a := range p.workers {
		all = append(all, p.commands(a, scripts)...)
	}
	lines := Together(all)
	return append(lines, results.StoryLine{Lane: laneRedis, Text: end})
}

// commands tells the job's commands of one program.
func (p *play) commands(a *actor, scripts map[string]string) []Told {
	var list []Told
	side := Worker
	if a.name == laneServer {
		side = Producer
	}
	for _, x := range newTrail(p.batch, side).filter(a.wire.Exchanges()) {
		if side == Producer && x.Read.After(p.answered) {
			continue // the harness asks how the job is
		}
		f := p.firedAt(a, x)
		if f == nil {
			list = append(list, Told{At: x.Read, Run: true, Line: results.StoryLine{Lane: a.name, To: laneRedis, Text: Brief(x.Command, scripts)}})
			continue
		}
		name := label(x.Command, scripts)
		list = append(list, Told{At: x.Read, Line: results.StoryLine{Lane: a.name, To: laneRedis, Text: f.tell(name), Fault: true, Lost: f.Kind != Freeze}})
		if f.Kind == Freeze && x.Answered {
			list = append(list, Told{At: x.Sent, Line: results.StoryLine{Lane: a.name, To: laneRedis, Text: name + " arrives, late", Fault: true}})
		}
	}
	return list
}

func (p *play) firedAt(a *actor, x wire.Exchange) *fired {
	for i, f := range p.fired {
		if f.actor.wire == a.wire && f.exchange.Seq == x.Seq {
			return &p.fired[i]
		}
	}
	return nil
}

// tell says what happened to the command.
func (f *fired) tell(name string) string {
	return name + ": " + map[Kind]string{
		CutBefore:  "the connection is cut, Redis never sees it",
		CutAfter:   "Redis executes it, and the reply is lost",
		KillBefore: "the program is killed, Redis never sees it",
		KillAfter:  "Redis executes it, and the program is killed",
		Freeze:     "the program is frozen with it on its way",
		FreezeCut:  "the program is frozen, and it will never arrive",
	}[f.Kind]
}

// Together orders what was told by time and joins commands of one program that follow each other.
func Together(all []Told) []results.StoryLine {
	slices.SortStableFunc(all, func(a, b Told) int { return a.At.Compare(b.At) })
	var lines []results.StoryLine
	var names []string
	close := func() {
		if len(names) > 0 {
			lines[len(lines)-1].Text = counted(names)
			names = nil
		}
	}
	for i, t := range all {
		joins := i > 0 && t.Run && all[i-1].Run && all[i-1].Line.Lane == t.Line.Lane
		if !joins {
			close()
			lines = append(lines, t.Line)
		}
		if t.Run {
			names = append(names, t.Line.Text)
		}
	}
	close()
	for i := range lines {
		lines[i].Text = program.Sanitise(lines[i].Text)
	}
	return lines
}

// counted writes names that stand several times in a row once, with their number.
func counted(names []string) string {
	var parts []string
	for i := 0; i < len(names); {
		n := 1
		for i+n < len(names) && names[i+n] == names[i] {
			n++
		}
		part := names[i]
		if n > 1 {
			part += fmt.Sprintf(" ×%d", n)
		}
		parts = append(parts, part)
		i += n
	}
	return strings.Join(parts, ", ")
}
