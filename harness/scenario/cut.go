package scenario

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alicebob/miniredis/v2/proto"

	"example.com/importer/harness/history"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// cutWhen looks at each reply in the trap, holding it back, and drops the first
// after which happened has something to tell: the command was executed, its
// effect is there, and who sent it will not learn so.
func cutWhen(ctx context.Context, trap *wire.Trap, name string, happened func() (evidence string, err error)) (history.Fault, error) {
	fault := history.Fault{Name: name}
	defer trap.Disarm()
	var evidence string
	caught, err := world.CatchWhen(ctx, trap, func() (bool, error) {
		var err error
		evidence, err = happened()
		return evidence != "", err
	})
	if errors.Is(err, world.ErrNotFired) {
		fault.Why = "no command had the effect: " + err.Error()
		return fault, nil
	}
	if err != nil {
		return fault, fmt.Errorf("%s: %w", name, err)
	}
	caught.Cut()
	fault.Fired = true
	fault.Evidence = []string{executed(caught.Exchange()), evidence, "the reply was dropped and the connection cut"}
	return fault, nil
}

// executed tells of a command that the server has answered.
func executed(e wire.Exchange) string {
	return fmt.Sprintf("Redis executed %s and answered %s", brief(e.Command), oneLine(readable(e.Reply)))
}

// readable is a reply as a person would write it, where it is a text or a list of
// texts, and otherwise as it came.
func readable(reply string) string {
	if list, err := proto.ReadStrings(reply); err == nil {
		return strings.Join(list, " ")
	}
	if text, err := proto.ReadString(reply); err == nil {
		return text
	}
	return strings.TrimRight(reply, "\r\n")
}

// brief names a command and the keys of ours in it: what a reader needs to know
// it again, and no more than fits on a line.
func brief(c wire.Command) string {
	var keys []string
	for _, part := range append([]wire.Command{c}, c.Queued...) {
		for _, arg := range part.Args[min(1, len(part.Args)):] {
			if strings.HasPrefix(arg, shop.StockPrefix) || strings.HasPrefix(arg, shop.QueuePrefix) {
				keys = append(keys, oneLine(arg))
			}
		}
	}
	return oneLine(c.Name()) + " (" + strings.Join(keys, ", ") + ")"
}

// oneLine makes foreign text harmless and short enough for a report.
func oneLine(text string) string {
	const most = 80
	runes := []rune(program.Sanitise(text))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
