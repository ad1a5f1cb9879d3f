package ledger_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/ledger"
)

// childVariable makes this test binary a server that is killed at a point of its work; see
// TestKilledServer.
const childVariable = "LEDGER_TEST_CHILD"

const (
	beforeCommit = "before the commit"
	afterCommit  = "after the commit"
)

func TestMain(m *testing.M) {
	if point := os.Getenv(childVariable); point != "" {
		child(point, os.Args[1])
	}
	enginetest.Main(m)
}

// child is ended without a chance to tidy up or to answer.
func child(point, where string) {
	kill := func() {
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		select {}
	}
	l, err := ledger.Open(context.Background(), where, long)
	if err == nil {
		_, err = l.Do(context.Background(), request("k1"), func(ctx context.Context, tx *sql.Tx, r ledger.Request) ([]byte, error) {
			result, err := ledger.PlaceOrder(ctx, tx, r)
			if err == nil && point == beforeCommit {
				kill()
			}
			return result, err
		})
	}
	if err == nil && point == afterCommit {
		kill()
	}
	fmt.Fprintf(os.Stderr, "at %q nobody was killed: %v\n", point, err)
	os.Exit(1)
}

// Seen from the client the two are the same: no answer. The repeat is right in both.
func TestKilledServer(t *testing.T) {
	for point, repeated := range map[string]bool{beforeCommit: false, afterCommit: true} {
		t.Run(point, func(t *testing.T) {
			everywhere(t, func(t *testing.T, where string) {
				l := stocked(t, where, long)
				command := exec.CommandContext(t.Context(), os.Args[0], where)
				command.Env = append(os.Environ(), childVariable+"="+point)
				output, err := command.CombinedOutput()
				if err == nil || len(output) > 0 {
					t.Fatalf("the server was not killed: %v: %s", err, output)
				}
				if answer := place(t, l, request("k1")); answer.Repeated != repeated {
					t.Errorf("the repeat was told a stored result: %v, want %v", answer.Repeated, repeated)
				}
				if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, l)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A ledger that is opened again on the same data gives the result that was stored.
func TestReopened(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		before, err := ledger.Open(t.Context(), where, long)
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Stock(t.Context(), "lamp", 10); err != nil {
			t.Fatal(err)
		}
		first := place(t, before, request("k1"))
		if err := before.Close(); err != nil {
			t.Fatal(err)
		}
		after := connect(t, where, long)
		want := ledger.Answer{Result: first.Result, Repeated: true}
		if diff := cmp.Diff(want, place(t, after, request("k1"))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if n := count(t, after); n.Orders != 1 {
			t.Errorf("%d orders, want 1", n.Orders)
		}
	})
}
