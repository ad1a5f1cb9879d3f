// Package record: the effect and its record, together or not at all.
package record

import (
	"context"
	"database/sql"
	"errors"
)

// Schema makes the table of the records.
const Schema = `CREATE TABLE records (
	principal TEXT NOT NULL,
	key       TEXT NOT NULL,
	result    TEXT NOT NULL,
	PRIMARY KEY (principal, key)
)`

// Do has the effect unless the principal's key was used before. It returns the first result.
func Do(ctx context.Context, db *sql.DB, principal, key string, effect func(*sql.Tx) (string, error)) (string, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()

	var result string
	err = tx.QueryRowContext(ctx, "SELECT result FROM records WHERE principal = ? AND key = ?", principal, key).Scan(&result)
	if !errors.Is(err, sql.ErrNoRows) {
		return result, err
	}
	if result, err = effect(tx); err != nil {
		return "", err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO records VALUES (?, ?, ?)", principal, key, result); err != nil {
		return "", err
	}
	if err := tx.Commit(); err != nil {
		return "", err // nobody knows whether it is there: the repeat will tell
	}
	return result, nil
}
