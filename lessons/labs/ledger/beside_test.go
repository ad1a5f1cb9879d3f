package ledger_test

import (
	"context"
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/ledger"
)

// beside keeps the keys in Redis and the orders in SQL. Each of them keeps what it was told, and nothing
// makes the two one.
type beside struct {
	keys     *redis.Client
	orders   *ledger.Ledger
	keyFirst bool
	between  error // ends the attempt between the two
}

func (b beside) Do(ctx context.Context, r ledger.Request, effect ledger.Effect) (ledger.Answer, error) {
	seen, err := b.keys.Exists(ctx, r.Key).Result()
	if err != nil || seen == 1 {
		return ledger.Answer{Repeated: true}, err
	}
	storeKey := func() error { return b.keys.Set(ctx, r.Key, "seen", 0).Err() }
	order := func() error {
		tx, err := b.orders.DB().BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := effect(ctx, tx, r); err != nil {
			return err
		}
		return tx.Commit()
	}
	first, second := order, storeKey
	if b.keyFirst {
		first, second = storeKey, order
	}
	if err := first(); err != nil {
		return ledger.Answer{}, err
	}
	if b.between != nil {
		return ledger.Answer{}, b.between
	}
	return ledger.Answer{}, second()
}

// Whichever comes first, what happens between the two makes the repeat wrong: the order is not there, or
// it is there twice.
func TestKeysInRedisBesideTheOrders(t *testing.T) {
	powerGone := errors.New("the power is gone")
	for name, c := range map[string]struct {
		keyFirst      bool
		first, repeat int // orders
	}{
		"key first":   {true, 0, 0},
		"order first": {false, 1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			l := stocked(t, sqliteFile(t), long)
			b := beside{keys: enginetest.Database(t), orders: l, keyFirst: c.keyFirst, between: powerGone}
			if _, err := b.Do(t.Context(), request("k1"), ledger.PlaceOrder); !errors.Is(err, powerGone) {
				t.Fatal(err)
			}
			if n := count(t, l).Orders; n != c.first {
				t.Errorf("%d orders after the first attempt, want %d", n, c.first)
			}
			b.between = nil
			if _, err := b.Do(t.Context(), request("k1"), ledger.PlaceOrder); err != nil {
				t.Fatal(err)
			}
			if n := count(t, l).Orders; n != c.repeat {
				t.Errorf("%d orders after the repeat, want %d", n, c.repeat)
			}
		})
	}
}
