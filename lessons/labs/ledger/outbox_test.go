package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/ledger"
)

// postman delivers letters, and can be stopped just after one has arrived: it has been read, and the
// sender does not get to know it.
type postman struct {
	delivered []ledger.Letter
	stopAfter int // deliveries; 0 is never
}

var errStopped = errors.New("stopped")

func (p *postman) send(_ context.Context, letter ledger.Letter) error {
	p.delivered = append(p.delivered, letter)
	if len(p.delivered) == p.stopAfter {
		return errStopped
	}
	return nil
}

func TestOutboxKeepsTheIntent(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		place(t, l, request("k1"))
		place(t, l, request("k1"))
		place(t, l, request("k2"))
		var post postman
		for _, want := range []int{2, 0} {
			if marked, err := l.Relay(t.Context(), post.send); err != nil || marked != want {
				t.Errorf("marked %d, %v, want %d", marked, err, want)
			}
		}
		want := []ledger.Letter{{ID: 1, Body: "order 1: 2 of lamp"}, {ID: 2, Body: "order 2: 2 of lamp"}}
		if diff := cmp.Diff(want, post.delivered); diff != "" {
			t.Errorf("delivered (-want +got):\n%s", diff)
		}
	})
}

// The outbox does not make a delivery happen once: the receiver sees doubles and has to know them.
func TestReceiverSeesDoubles(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		place(t, l, request("k1"))
		post := postman{stopAfter: 1}
		if _, err := l.Relay(t.Context(), post.send); !errors.Is(err, errStopped) {
			t.Errorf("got %v, want that it was stopped", err)
		}
		if marked, err := l.Relay(t.Context(), post.send); err != nil || marked != 1 {
			t.Errorf("the next run marked %d, %v", marked, err)
		}
		letter := ledger.Letter{ID: 1, Body: "order 1: 2 of lamp"}
		if diff := cmp.Diff([]ledger.Letter{letter, letter}, post.delivered); diff != "" {
			t.Fatalf("delivered (-want +got):\n%s", diff)
		}

		receiver := connect(t, sqliteFile(t), long)
		execute(t, receiver, "CREATE TABLE parcels (letter BIGINT)")
		pack := func(ctx context.Context, tx *sql.Tx, _ ledger.Request) ([]byte, error) {
			_, err := tx.ExecContext(ctx, "INSERT INTO parcels VALUES (1)")
			return []byte(`"packed"`), err
		}
		for i, letter := range post.delivered {
			answer, err := ledger.Receive(t.Context(), receiver, "shop", letter, pack)
			if err != nil || answer.Repeated != (i > 0) || string(answer.Result) != `"packed"` {
				t.Errorf("delivery %d: %s, repeated %v, %v", i, answer.Result, answer.Repeated, err)
			}
		}
		var parcels int
		if err := receiver.DB().QueryRowContext(t.Context(), "SELECT count(*) FROM parcels").Scan(&parcels); err != nil {
			t.Fatal(err)
		}
		if parcels != 1 {
			t.Errorf("%d parcels for one order that was told twice, want 1", parcels)
		}
	})
}

// A letter that is sent from inside the transaction is not undone with it.
func TestNoOutbox(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		var post postman
		lateFailure := errors.New("a constraint was hit")
		_, err := l.Do(t.Context(), request("k1"), func(ctx context.Context, tx *sql.Tx, r ledger.Request) ([]byte, error) {
			if _, err := ledger.PlaceOrder(ctx, tx, r); err != nil {
				return nil, err
			}
			if err := post.send(ctx, ledger.Letter{Body: "your order is placed"}); err != nil {
				return nil, err
			}
			return nil, lateFailure
		})
		if !errors.Is(err, lateFailure) {
			t.Errorf("got %v, want the late failure", err)
		}
		if n := count(t, l); n.Orders != 0 || len(post.delivered) != 1 {
			t.Errorf("%d orders and %d letters, want the letter without an order", n.Orders, len(post.delivered))
		}
	})
}
