package lua_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/world/engine/enginetest"
	"example.com/importer/lessons/labs/lua"
)

const lamps = "stock:lamp"

// Eight lamps, two buyers: five and five do not fit, five and three do.
func TestReserveTakesAllOrNothing(t *testing.T) {
	a, b := two(t)
	set(t, a, lamps, "8")
	reserve := func(rdb *redis.Client, pieces int64, want lua.Reservation) {
		t.Helper()
		got, err := lua.Reserve(t.Context(), rdb, lamps, pieces)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("reserve %d (-want +got):\n%s", pieces, diff)
		}
	}
	reserve(a, 5, lua.Reservation{Taken: true, Left: 3})
	reserve(b, 5, lua.Reservation{Taken: false, Left: 3})
	reserve(b, 3, lua.Reservation{Taken: true, Left: 0})
	reserve(a, 1, lua.Reservation{Taken: false, Left: 0})
	wantKeys(t, a, map[string]string{lamps: "0"})
}

func TestReserveFromNothing(t *testing.T) {
	rdb := enginetest.Database(t)
	got, err := lua.Reserve(t.Context(), rdb, lamps, 1)
	must(t, err)
	if diff := cmp.Diff(lua.Reservation{}, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	wantKeys(t, rdb, map[string]string{})
}

func TestReserveRefusesWhatIsUnusable(t *testing.T) {
	for name, c := range map[string]struct {
		stock  string
		pieces int64
		code   string
	}{
		"no pieces":         {"8", 0, "invalid-arguments"},
		"fewer than none":   {"8", -1, "invalid-arguments"},
		"too many to mean":  {"8", 1_000_001, "invalid-arguments"},
		"stock is a word":   {"eight", 1, "invalid-stock"},
		"stock is negative": {"-1", 1, "invalid-stock"},
		"stock is broken":   {"1.5", 1, "invalid-stock"},
		"stock is octal":    {"08", 1, "invalid-stock"},
		"stock is too much": {"1000001", 1, "invalid-stock"},
	} {
		t.Run(name, func(t *testing.T) {
			rdb := enginetest.Database(t)
			set(t, rdb, lamps, c.stock)
			_, err := lua.Reserve(t.Context(), rdb, lamps, c.pieces)
			if unusable := new(lua.UnusableError); !errors.As(err, &unusable) || unusable.Code != c.code {
				t.Errorf("got %v, want %s", err, c.code)
			}
			wantKeys(t, rdb, map[string]string{lamps: c.stock})
		})
	}
}

func TestReserveFromAnotherTypeIsAnError(t *testing.T) {
	rdb := enginetest.Database(t)
	must(t, rdb.HSet(t.Context(), lamps, "lamp", 8).Err())
	if _, err := lua.Reserve(t.Context(), rdb, lamps, 1); !redis.HasErrorPrefix(err, "WRONGTYPE") {
		t.Errorf("got %v, want WRONGTYPE", err)
	}
}
