package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/ledger"
)

func forget(t testing.TB, l *ledger.Ledger, want int64) {
	t.Helper()
	n, err := l.Forget(t.Context(), time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if n != want {
		t.Fatalf("forgot %d records, want %d", n, want)
	}
}

// A repeat that comes after its record was removed is no repeat any more.
func TestForgottenRecord(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		place(t, l, request("k1"))
		if n, err := l.Forget(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 0 {
			t.Errorf("forgot %d records of the last hour: %v", n, err)
		}
		forget(t, l, 1)
		if _, err := l.Result(t.Context(), "ann", ledger.OperationPlace, "k1"); !errors.Is(err, ledger.ErrUnknown) {
			t.Errorf("the result of a forgotten operation: %v, want ErrUnknown", err)
		}
		if answer := place(t, l, request("k1")); answer.Repeated {
			t.Error("what was forgotten was known")
		}
		if diff := cmp.Diff(totals{Lamps: 6, Orders: 2, Letters: 2, Records: 1}, count(t, l)); diff != "" {
			t.Errorf("one order, asked for twice (-want +got):\n%s", diff)
		}

		forget(t, l, 1)
		other := request("k1")
		other.Input = []byte(`{"sku":"lamp","quantity":3}`)
		if answer := place(t, l, other); answer.Repeated {
			t.Error("what was forgotten was known")
		}
	})
}

// What the effect itself keeps is not forgotten: with a reference of the client in the order, a late
// repeat is refused, and what became of the first attempt can be found out.
func TestReferenceOutlivesTheRecord(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		r := request("k1")
		r.Input = []byte(`{"sku":"lamp","quantity":2,"reference":"party"}`)
		place(t, l, r)
		forget(t, l, 1)
		if _, err := l.Do(t.Context(), r, ledger.PlaceOrder); !errors.Is(err, ledger.ErrReference) {
			t.Errorf("a late repeat: %v, want ErrReference", err)
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1}, count(t, l)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if id, err := l.OrderByReference(t.Context(), "ann", "party"); err != nil || id != 1 {
			t.Errorf("the order of the reference: %d, %v", id, err)
		}
		if _, err := l.OrderByReference(t.Context(), "bob", "party"); !errors.Is(err, ledger.ErrUnknown) {
			t.Errorf("somebody else's reference: %v, want ErrUnknown", err)
		}
	})
}
