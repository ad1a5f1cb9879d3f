// Package record: the effect and its record, together or not at all.
package record

import (
	"context"
	"database/sql"
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
	done, err := db.ExecContext(ctx, "INSERT INTO records VALUES (?, ?, '') ON CONFLICT DO NOTHING", principal, key)
	if err != nil {
		return "", err
	}
	var result string
	if rows, err := done.RowsAffected(); rows == 0 || err != nil {
		err := db.QueryRowContext(ctx, "SELECT result FROM records WHERE principal = ? AND key = ?", principal, key).Scan(&result)
		return result, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if result, err = effect(tx); err != nil {
		return "", err
	}
	if err := tx.Commit(); err != nil {
		return "", err
	}
	_, err = db.ExecContext(ctx, "UPDATE records SET result = ? WHERE principal = ? AND key = ?", result, principal, key)
	return result, err
}
