// Package record: the effect and its record, together or not at all.
//
// Do has an effect once for each key of each principal, and gives its first result to every repeat. The
// record is a row of the table records. The effect changes the same SQLite database, with the
// transaction that it is given.
//
// As it stands, the effect is committed first and the record is written later, and anybody's key is
// everybody's key. Make it right: whatever fails, and whenever, there is a record exactly if there was
// an effect. (A transaction of this database that has begun is the only one that writes, until it ends.)
//
// Then run: make lab LAB=ledger
package record

import (
	"context"
	"database/sql"
	"errors"
)

// Schema makes the table of the records.
const Schema = `CREATE TABLE records (
	key    TEXT PRIMARY KEY,
	result TEXT NOT NULL
)`

// Do has the effect unless the principal's key was used before. It returns the first result.
func Do(ctx context.Context, db *sql.DB, principal, key string, effect func(*sql.Tx) (string, error)) (string, error) {
	var result string
	err := db.QueryRowContext(ctx, "SELECT result FROM records WHERE key = ?", key).Scan(&result)
	if !errors.Is(err, sql.ErrNoRows) {
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

	_, err = db.ExecContext(ctx, "INSERT INTO records VALUES (?, ?)", key, result)
	return result, err
}
