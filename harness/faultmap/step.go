package faultmap

import (
	"crypto/sha1"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// Step is one command that a program sends for the job, in such a way that it can be
// found again in another run: its kind, and how many like it came before.
type Step struct {
	Label string // for people, such as EVALSHA apply or HSET importer:products
	sig   string
	nth   int // among the job's commands with this sig, from 1
	// byReply: nothing in the command names the job, its reply does: it asks for work.
	// Before it has been answered, any like it may be the one.
	byReply bool
	stock   bool // it names the stock
	writes  bool // and is no plain read
}

// sig tells the commands of a program apart without what differs from run to run.
func sig(c wire.Command) string {
	words := []string{c.Name()}
	if len(c.Args) > 1 {
		words = append(words, c.Args[1])
	}
	for _, q := range c.Queued {
		words = append(words, sig(q))
	}
	return strings.Join(words, " ")
}

// entryID is the id of an entry in a stream: some commands name their job by it alone.
var entryID = regexp.MustCompile(`\b\d{13}-\d+\b`)

// trail knows the commands of one job: they name its batch, an entry that was read with
// it, or the stock; for a producer, which has nothing else to do, any key of the queue.
type trail struct {
	batch    string
	producer bool
	entries  map[string]bool
}

func newTrail(batch string, side Side) *trail {
	return &trail{batch: batch, producer: side == Producer, entries: map[string]bool{}}
}

// filter returns the job's of the exchanges, which are in their order, and learns from
// them by which entries the job goes.
func (t *trail) filter(all []wire.Exchange) []wire.Exchange {
	var list []wire.Exchange
	for _, x := range all {
		if !t.has(x) {
			continue
		}
		for _, id := range entryID.FindAllString(x.Reply, -1) {
			t.entries[id] = true
		}
		list = append(list, x)
	}
	return list
}

// has says whether the command or its reply names the job.
func (t *trail) has(x wire.Exchange) bool {
	return t.names(x.Command) || strings.Contains(x.Reply, t.batch)
}

// names says whether the command itself names the job.
func (t *trail) names(c wire.Command) bool {
	if c.Touches(shop.StockPrefix) || (t.producer && c.Touches(shop.QueuePrefix)) {
		return true
	}
	for _, part := range append([]wire.Command{c}, c.Queued...) {
		for _, arg := range part.Args {
			if strings.Contains(arg, t.batch) || t.entries[arg] {
				return true
			}
		}
	}
	return false
}

// stepsOf numbers the job's commands.
func (t *trail) stepsOf(scripts map[string]string, all []wire.Exchange) []Step {
	var steps []Step
	counts := map[string]int{}
	for _, x := range t.filter(all) {
		c := x.Command
		stock := c.Touches(shop.StockPrefix)
		s := Step{
			Label: label(c, scripts), sig: sig(c), byReply: !t.names(c),
			stock: stock, writes: stock && !slices.Contains(plainReads, c.Name()),
		}
		counts[s.sig]++
		s.nth = counts[s.sig]
		steps = append(steps, s)
	}
	return steps
}

// plainReads are the commands of hashes and strings that change nothing.
var plainReads = []string{"GET", "MGET", "EXISTS", "HGET", "HMGET", "HGETALL", "HEXISTS", "HKEYS", "HVALS", "HLEN", "WATCH", "TTL", "PTTL", "TYPE"}

// label names a command as a reader would: a script by its name where that is known, and
// anything else by its first key.
func label(c wire.Command, scripts map[string]string) string {
	name := Brief(c, scripts)
	if name != c.Name() {
		return name
	}
	for i, arg := range c.Args {
		if i > 0 && (strings.HasPrefix(arg, shop.StockPrefix) || strings.HasPrefix(arg, shop.QueuePrefix)) {
			key := short(arg)
			if name == "HGET" || name == "HSET" {
				key += " " + c.Args[min(i+1, len(c.Args)-1)]
			}
			return program.Sanitise(name + " " + key)
		}
	}
	for _, q := range c.Queued {
		return name + " of " + label(q, scripts) + " ..."
	}
	return program.Sanitise(name)
}

// short is a key without what all keys of the queue have in common.
func short(key string) string { return strings.TrimPrefix(key, shop.QueuePrefix+":") }

// Brief names a command without its key.
func Brief(c wire.Command, scripts map[string]string) string {
	if len(c.Args) > 1 {
		if script, known := scripts[c.Args[1]]; known {
			return c.Name() + " " + script
		}
	}
	return program.Sanitise(c.Name())
}

// sha1Length is the length of a SHA1 in hexadecimal.
const sha1Length = 2 * sha1.Size

// ScriptNames maps the SHA1 of each script file of a stage, and the whole script, to its
// name: what EVALSHA and EVAL send.
func ScriptNames(dir string) map[string]string {
	names := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, "lua", "*.lua")) // the pattern is a good one
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // then it has no name
		}
		sum := sha1.Sum(content)
		name := strings.TrimSuffix(filepath.Base(file), ".lua")
		names[hex.EncodeToString(sum[:])] = name
		names[string(content)] = name
	}
	return names
}
