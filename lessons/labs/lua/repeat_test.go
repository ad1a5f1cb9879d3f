package lua_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/engine/enginetest"
)

// Which scripts may be asked again when no answer came? Each is run twice, with nobody in between. What the
// second time changes is the harm that a repeat does, and another answer is what a caller has to expect.
func TestWhichScriptsMayBeRepeated(t *testing.T) {
	for script, c := range map[string]struct {
		keys                       []string
		args                       []any
		before                     []string
		changesAgain, saysTheOther bool
	}{
		"length":         {[]string{"k"}, nil, nil, false, false},
		"compare-delete": {[]string{lock}, []any{"token-a"}, []string{lock, "token-a"}, false, true},
		"compare-set":    {[]string{lock}, []any{"token-a", "token-b"}, []string{lock, "token-a"}, false, true},
		"reserve":        {[]string{lamps}, []any{3}, []string{lamps, "8"}, true, true},
		"move":           {[]string{shelf, store}, []any{3}, []string{shelf, "8", store, "2"}, true, true},
		"window":         {[]string{visits}, []any{2, 60}, nil, true, true},
	} {
		t.Run(script, func(t *testing.T) {
			rdb := enginetest.Database(t)
			if c.before != nil {
				set(t, rdb, c.before...)
			}
			first, err := run(t, rdb, script, c.keys, c.args...)
			must(t, err)
			once := values(t, rdb)
			second, err := run(t, rdb, script, c.keys, c.args...)
			must(t, err)
			if changed := cmp.Diff(once, values(t, rdb)); (changed != "") != c.changesAgain {
				t.Errorf("the second time changes something: %v, want %v (-once +twice):\n%s", changed != "", c.changesAgain, changed)
			}
			if other := cmp.Diff(first, second); (other != "") != c.saysTheOther {
				t.Errorf("the second answer is another: %v, want %v (-first +second):\n%s", other != "", c.saysTheOther, other)
			}
		})
	}
}

// A repeat that comes late is another matter: somebody may have put the old value back meanwhile.
func TestALateRepeatOfCompareSet(t *testing.T) {
	rdb := enginetest.Database(t)
	set(t, rdb, lock, "open")
	again := func() (any, error) { return run(t, rdb, "compare-set", []string{lock}, "open", "shut") }
	wantReply(t, any(int64(1)))(again())
	set(t, rdb, lock, "open") // by somebody else
	wantReply(t, any(int64(1)))(again())
	wantKeys(t, rdb, map[string]string{lock: "shut"})
}

// The answers that the lesson gives name the scripts that were tried here.
func TestTheLessonNamesTheScriptsThatMayBeRepeated(t *testing.T) {
	text, err := os.ReadFile("../../lua-scripts.md")
	must(t, err)
	_, answers, found := strings.Cut(string(text), "<summary>Answers</summary>")
	if !found {
		t.Fatal("the lesson has no answers")
	}
	for _, script := range []string{"length", "compare-delete", "compare-set", "reserve", "move", "window"} {
		if !strings.Contains(answers, "`"+script+".lua`") {
			t.Errorf("the answers do not name %s.lua", script)
		}
	}
}
