package ledger

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Letter is what is to be told to the outside. Its id is the same whenever it is sent.
type Letter struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
}

// Relay sends the letters of the outbox that are not marked as sent, the oldest first, and marks each
// after send has returned. It says how many it marked.
//
// Between the sending and the mark lies a gap that no order of the two can close: whoever ends there has
// sent a letter that will be sent again. Marking first would lose it instead.
func (l *Ledger) Relay(ctx context.Context, send func(context.Context, Letter) error) (marked int, err error) {
	for {
		var letter Letter
		err := l.db.QueryRowContext(ctx, `SELECT id, body FROM outbox WHERE sent = 0 ORDER BY id LIMIT 1`).Scan(&letter.ID, &letter.Body)
		if errors.Is(err, sql.ErrNoRows) {
			return marked, nil
		}
		if err != nil {
			return marked, fmt.Errorf("look into the outbox: %w", err)
		}
		if err := send(ctx, letter); err != nil {
			return marked, fmt.Errorf("send letter %d: %w", letter.ID, err)
		}
		if _, err := l.db.ExecContext(ctx, `UPDATE outbox SET sent = 1 WHERE id = $1`, letter.ID); err != nil {
			return marked, fmt.Errorf("mark letter %d as sent: %w", letter.ID, err)
		}
		marked++
	}
}

// Receive is how a receiver copes with letters that come twice: for it the letter's id is the key of an
// operation, and its own ledger keeps the record beside its own effect.
func Receive(ctx context.Context, own *Ledger, sender string, letter Letter, effect Effect) (Answer, error) {
	input, err := json.Marshal(letter)
	if err != nil {
		return Answer{}, fmt.Errorf("receive letter %d: %w", letter.ID, err)
	}
	return own.Do(ctx, Request{
		Principal: sender,
		Operation: "receive-letter",
		Key:       strconv.FormatInt(letter.ID, 10),
		Input:     input,
	}, effect)
}
