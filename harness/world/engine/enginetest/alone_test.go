package enginetest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
)

const library = "#!lua name=left\nredis.register_function('left', function() return 1 end)"

// What one test leaves on the server, the next one does not find.
func TestAloneBeginsEmpty(t *testing.T) {
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			e := enginetest.Alone(t)
			client := e.Client(3)
			defer client.Close()
			keys, err := client.DBSize(t.Context()).Result()
			if err != nil || keys != 0 {
				t.Errorf("%d keys, %v; want none", keys, err)
			}
			const script = "return 7"
			known, err := client.ScriptExists(t.Context(), redis.NewScript(script).Hash()).Result()
			if err != nil || known[0] {
				t.Errorf("the script is known: %v, %v", known, err)
			}
			if err := client.ScriptLoad(t.Context(), script).Err(); err != nil {
				t.Error(err)
			}
			// Loading the library fails if it is there.
			if err := client.FunctionLoad(t.Context(), library).Err(); err != nil {
				t.Error(err)
			}
			if err := client.Set(t.Context(), "k", "v", 0).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAloneIsNotShared(t *testing.T) {
	if enginetest.Alone(t) == enginetest.Shared(t) {
		t.Error("both are one engine")
	}
}
