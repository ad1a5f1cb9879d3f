package faultmap

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/wire"
)

func TestParseCell(t *testing.T) {
	for _, name := range []string{"07/k5/cut-after", "08/k3/kill-before+k12/freeze", "05/p1/cut-before"} {
		stage, schedule, err := ParseCell(name)
		if got := stage + "/" + schedule.String(); err != nil || got != name {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		"07":                               "STAGE/COMMAND/FAULT",
		"07/k5":                            "COMMAND/FAULT",
		"07/k/cut-after":                   "COMMAND/FAULT",
		"07/k0/cut-after":                  "1 or more",
		"07/kx/cut-after":                  "1 or more",
		"07/w1/cut-after":                  "k1, k2",
		"07/k1/cut":                        "allowed are cut-before, cut-after",
		"07/p1/freeze":                     "allowed are cut-before, cut-after",
		"07/k1/freeze+p1/cut-after":        "for workers",
		"07/k1/freeze+k1/freeze+k1/freeze": "allowed are 1 and 2",
		"07/k1/freeze+":                    "COMMAND/FAULT",
	} {
		if _, _, err := ParseCell(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

func sent(reply string, args ...string) wire.Exchange {
	return wire.Exchange{Command: wire.Command{Args: args}, Reply: reply, Read: time.Now()}
}

// The job's commands name its batch, the stock, or an entry of the stream that was read
// with it; a command that asks for work is known by what it is given.
func TestSteps(t *testing.T) {
	const entry = "1796070939454-0"
	steps := newTrail("batch-a", Worker).stepsOf(map[string]string{"abc": "start"}, []wire.Exchange{
		sent("+OK", "hello", "3"),
		sent("", "xreadgroup", "group", "workers"),
		sent("*1 "+entry+" shipment-batch-a", "xreadgroup", "group", "workers"),
		sent("+OK", "evalsha", "abc", "1", "importer-demo:importer-local:job:shipment-batch-a"),
		sent("$1", "hget", "importer:products", "lamp"),
		sent(":1", "hset", "importer:products", "lamp", "{}"),
		sent(":1", "hset", "importer:products", "pencil", "{}"),
		sent(":1", "xack", "importer-demo:importer-local:jobs", "workers", entry),
		sent(":0", "xack", "importer-demo:importer-local:jobs", "workers", "1796070939999-0"),
	})
	want := []Step{
		{Label: "XREADGROUP", sig: "XREADGROUP group", nth: 1, byReply: true},
		{Label: "EVALSHA start", sig: "EVALSHA abc", nth: 1},
		{Label: "HGET importer:products lamp", sig: "HGET importer:products", nth: 1, stock: true},
		{Label: "HSET importer:products lamp", sig: "HSET importer:products", nth: 1, stock: true, writes: true},
		{Label: "HSET importer:products pencil", sig: "HSET importer:products", nth: 2, stock: true, writes: true},
		{Label: "XACK jobs", sig: "XACK importer-demo:importer-local:jobs", nth: 1},
	}
	if diff := cmp.Diff(want, steps, cmp.AllowUnexported(Step{})); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}
