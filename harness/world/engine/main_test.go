package engine_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"example.com/importer/harness/world/engine"
	"example.com/importer/harness/world/engine/enginetest"
)

// victimVariable makes this test binary a harness that is killed, see TestKilledHarness.
const victimVariable = "ENGINE_TEST_VICTIM"

func TestMain(m *testing.M) {
	if os.Getenv(victimVariable) != "" {
		victim()
	}
	enginetest.Main(m)
}

// victim starts a container, says so, and then does nothing until it is killed or its parent ends.
func victim() {
	_, err := engine.Open(context.Background(), engine.Choice{Kind: engine.Container})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(1)
}
