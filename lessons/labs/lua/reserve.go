package lua

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

var reserve = script("reserve")

// Reservation is the script's answer. Left is the stock after it, changed or not.
type Reservation struct {
	Taken bool
	Left  int64
}

// UnusableError says that there was nothing to decide with. Nothing was written.
type UnusableError struct {
	Key, Code string // Code is invalid-arguments or invalid-stock
}

func (e *UnusableError) Error() string { return fmt.Sprintf("reserve from %s: %s", e.Key, e.Code) }

// Reserve takes pieces (1 to 1,000,000) out of the stock, all or none.
//
// All or none ends where Redis ends. A payment, a mail or a row in another database is not part of
// it: if one of them fails afterwards, somebody has to put the pieces back.
func Reserve(ctx context.Context, rdb redis.Scripter, key string, pieces int64) (Reservation, error) {
	reply, err := reserve.Run(ctx, rdb, []string{key}, pieces).Slice()
	if err != nil {
		return Reservation{}, fmt.Errorf("reserve from %s: %w", key, err)
	}
	if len(reply) == 2 {
		status, _ := reply[0].(int64)
		switch detail := reply[1].(type) {
		case int64:
			return Reservation{Taken: status == 1, Left: detail}, nil
		case string:
			return Reservation{}, &UnusableError{Key: key, Code: detail}
		}
	}
	return Reservation{}, fmt.Errorf("reserve from %s: the script answered %v", key, reply)
}
