package ledger_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/ledger"
)

// doer is what carries out operations: a Ledger or a Memory.
type doer interface {
	Do(context.Context, ledger.Request, ledger.Effect) (ledger.Answer, error)
}

// orders counts the orders that one operation leads to, when it is given to each of the doers.
func orders(t testing.TB, l *ledger.Ledger, doers ...doer) int {
	t.Helper()
	for _, d := range doers {
		if _, err := d.Do(t.Context(), request("k1"), ledger.PlaceOrder); err != nil {
			t.Fatal(err)
		}
	}
	return count(t, l).Orders
}

func TestMemoryForgets(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		one, restarted, third := ledger.NewMemory(l), ledger.NewMemory(l), ledger.NewMemory(l)
		got := []int{
			orders(t, l, one, one),  // as long as it lives, all is well
			orders(t, l, restarted), // a restart, or another instance
			orders(t, l, third, one),
		}
		if diff := cmp.Diff([]int{1, 2, 3}, got); diff != "" {
			t.Errorf("orders (-want +got):\n%s", diff)
		}
	})
}

func TestLedgerDoesNot(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		if n := orders(t, l, l, connect(t, where, long), connect(t, where, long)); n != 1 {
			t.Errorf("%d orders, want 1", n)
		}
	})
}
