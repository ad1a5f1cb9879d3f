// Package ledger carries out operations that may be asked for again. It keeps a record of each,
//
//	(principal, operation, key) -> (fingerprint of the input, state, result)
//
// in the database that the operation changes, and in the same transaction. So there is a record
// exactly if there was an effect, and a repeat is given the first result.
package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"example.com/importer/lessons/labs/ledger/fingerprint"
)

// Request is one attempt of an operation.
type Request struct {
	Principal string // who asks, as the server has made sure of
	Operation string // the kind of operation, such as place-order
	Key       string // names the operation; the client made it once and sends it with every attempt
	Input     []byte // JSON
}

// Answer is the outcome of an operation.
type Answer struct {
	Result   []byte // JSON, the same for all attempts
	Repeated bool   // the effect had been there before this attempt
}

// Effect does the work of an operation, with tx and with nothing else: only what is in the transaction
// is undone if the attempt fails. The input of r is normalised: what the fingerprint has seen is what is
// done.
type Effect func(ctx context.Context, tx *sql.Tx, r Request) (result []byte, err error)

var (
	// ErrInput is the refusal of an input that cannot be understood.
	ErrInput = fingerprint.ErrInput
	// ErrOtherInput is the refusal of a key that was used with another input. HTTP says 422.
	ErrOtherInput = errors.New("this key was used with another input")
	// ErrInProgress says that another attempt had not ended when the wait for it was over. It may
	// succeed or fail; ask again with the same key. HTTP says 409.
	ErrInProgress = errors.New("another attempt is in progress")
	// ErrUnknown is the answer to a key that the principal has not used for this operation.
	ErrUnknown = errors.New("there is no such operation")
	// ErrNotKnown says that the database did not tell how the commit went. The effect may be there or
	// not; ask again with the same key. HTTP says 503.
	ErrNotKnown = errors.New("it is not known whether the operation was carried out")
)

// Do carries out the operation unless it was carried out before. Of attempts at the same time one has
// the effect, and the others wait for it and get its result.
//
// If effect returns an error, that is the error of Do, and everything is as if there had been no
// attempt: the key is still unused.
func (l *Ledger) Do(ctx context.Context, r Request, effect Effect) (Answer, error) {
	if err := r.validate(); err != nil {
		return Answer{}, err
	}
	var err error
	if r.Input, err = fingerprint.Normalise(r.Input); err != nil {
		return Answer{}, err
	}
	tx, err := l.begin(ctx)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: begin: %w", r.Operation, err)
	}
	defer func() { _ = tx.Rollback() }() // no more than a word to a transaction that was committed

	claimed, err := l.claim(ctx, tx, r)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: claim: %w", r.Operation, err)
	}
	if !claimed {
		return stored(ctx, tx, r)
	}
	result, err := effect(ctx, tx, r)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", r.Operation, err)
	}
	if err := finish(ctx, tx, r, result); err != nil {
		return Answer{}, fmt.Errorf("%s: store the result: %w", r.Operation, err)
	}
	if err := tx.Commit(); err != nil {
		return Answer{}, fmt.Errorf("%s: %w: %w", r.Operation, ErrNotKnown, err)
	}
	return Answer{Result: result}, nil
}

// claim takes the key by writing its row. The primary key lets one transaction do so, and makes the
// others wait until it has ended: one that ends well leaves a row, one that fails leaves none.
func (l *Ledger) claim(ctx context.Context, tx *sql.Tx, r Request) (bool, error) {
	done, err := tx.ExecContext(ctx, `
		INSERT INTO operations (principal, operation, key, fingerprint, state, created)
		VALUES ($1, $2, $3, $4, 'claimed', $5)
		ON CONFLICT DO NOTHING`,
		r.Principal, r.Operation, r.Key, fingerprint.Of(r.Input), l.now().Unix())
	if err != nil {
		return false, l.dialect.explain(err)
	}
	rows, err := done.RowsAffected()
	if err != nil {
		return false, err
	}
	return rows == 1, l.dialect.claimed(ctx, tx)
}

// stored is the result of the attempt that had the effect.
func stored(ctx context.Context, tx *sql.Tx, r Request) (Answer, error) {
	var first, result string
	err := tx.QueryRowContext(ctx, `
		SELECT fingerprint, result FROM operations
		WHERE principal = $1 AND operation = $2 AND key = $3`,
		r.Principal, r.Operation, r.Key).Scan(&first, &result)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: read the stored result: %w", r.Operation, err)
	}
	if first != fingerprint.Of(r.Input) {
		return Answer{}, fmt.Errorf("%s: %w", r.Operation, ErrOtherInput)
	}
	return Answer{Result: []byte(result), Repeated: true}, nil
}

func finish(ctx context.Context, tx *sql.Tx, r Request, result []byte) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE operations SET state = 'done', result = $4
		WHERE principal = $1 AND operation = $2 AND key = $3`,
		r.Principal, r.Operation, r.Key, string(result))
	return err
}

// Result is the stored result of an operation of this principal. The key of somebody else is answered
// like one that nobody has used, with ErrUnknown.
func (l *Ledger) Result(ctx context.Context, principal, operation, key string) ([]byte, error) {
	var result string
	err := l.db.QueryRowContext(ctx, `
		SELECT result FROM operations
		WHERE principal = $1 AND operation = $2 AND key = $3 AND state = 'done'`,
		principal, operation, key).Scan(&result)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrUnknown
	}
	if err != nil {
		return nil, fmt.Errorf("result of %s: %w", operation, err)
	}
	return []byte(result), nil
}

// Forget removes the records of operations that were asked for before a time, and says how many. What
// it forgets can be carried out again.
func (l *Ledger) Forget(ctx context.Context, before time.Time) (int64, error) {
	done, err := l.db.ExecContext(ctx, `DELETE FROM operations WHERE created < $1`, before.Unix())
	if err != nil {
		return 0, fmt.Errorf("forget operations before %s: %w", before.Format(time.RFC3339), err)
	}
	return done.RowsAffected()
}

// longest bounds the texts of a request, in bytes.
const longest = 200

// ErrRequest is what is wrong with a request that was not looked up.
var ErrRequest = errors.New("request refused")

func (r Request) validate() error {
	for _, field := range []struct{ name, value string }{
		{"principal", r.Principal}, {"operation", r.Operation}, {"key", r.Key},
	} {
		if n := len(field.value); n == 0 || n > longest {
			return fmt.Errorf("%w: the %s has %d bytes, 1 to %d are allowed", ErrRequest, field.name, n, longest)
		}
	}
	return nil
}
