// Package record is the check of the exercise of this name.
package record

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"example.com/importer/lessons/labs/internal/exercise"
)

// Do is what the learner writes: it has the effect once for each principal and key, and answers every
// attempt with the first result.
type Do func(ctx context.Context, db *sql.DB, principal, key string, effect func(*sql.Tx) (string, error)) (string, error)

const oneTransaction = "unknown-results.md#one-transaction"

// Check checks a record of processing that is kept in the table records of an SQLite database.
func Check(t *testing.T, schema string, do Do) {
	t.Helper()
	for _, story := range []func(*testing.T, *shop){repeat, effectFails, recordFails, scope, concurrent} {
		s := openShop(t, schema, do)
		story(t, s)
	}
}

// shop counts orders, which are the effect.
type shop struct {
	db     *sql.DB
	begins *begins
	do     Do
}

func openShop(t *testing.T, schema string, do Do) *shop {
	t.Helper()
	file := url.URL{Scheme: "file", Opaque: filepath.Join(t.TempDir(), "shop.db"), RawQuery: url.Values{
		"_txlock": {"immediate"}, "_pragma": {"busy_timeout(60000)", "journal_mode(WAL)", "synchronous(OFF)"},
	}.Encode()}
	begins := &begins{file: file.String()}
	db := sql.OpenDB(begins)
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE orders (id INTEGER PRIMARY KEY);"+schema); err != nil {
		t.Fatal(exercise.Finding{
			Expected: "a schema with a table records", Seen: err.Error(),
			Because: "the record is kept in the database that the effect changes", Lesson: oneTransaction,
		})
	}
	return &shop{db, begins, do}
}

// order is the effect; its result is the id of the order.
func order(tx *sql.Tx) (string, error) {
	done, err := tx.Exec("INSERT INTO orders DEFAULT VALUES")
	if err != nil {
		return "", err
	}
	id, err := done.LastInsertId()
	return "order " + strconv.FormatInt(id, 10), err
}

func (s *shop) ask(t *testing.T, principal, key string) string {
	t.Helper()
	result, err := s.do(t.Context(), s.db, principal, key, order)
	if err != nil {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("a result for key %s of %s", key, principal), Seen: "error: " + err.Error(),
			Because: "nothing has gone wrong", Lesson: oneTransaction,
		})
	}
	return result
}

func (s *shop) orders(t *testing.T) int {
	t.Helper()
	var n int
	if err := s.db.QueryRowContext(t.Context(), "SELECT count(*) FROM orders").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func repeat(t *testing.T, s *shop) {
	first, again := s.ask(t, "ann", "k1"), s.ask(t, "ann", "k1")
	if n := s.orders(t); first != "order 1" || again != first || n != 1 {
		t.Fatal(exercise.Finding{
			Expected: `"order 1" twice, and 1 order`, Seen: fmt.Sprintf("%q, %q, and %d orders", first, again, n),
			Because: "a repeat gets the first result and has no effect", Hint: "what does the record have to hold?",
			Lesson: oneTransaction,
		})
	}
}

func effectFails(t *testing.T, s *shop) {
	failure := errors.New("the shop burns down")
	_, err := s.do(t.Context(), s.db, "ann", "k1", func(tx *sql.Tx) (string, error) {
		if _, err := order(tx); err != nil {
			return "", err
		}
		return "", failure
	})
	if n := s.orders(t); err == nil || n != 0 {
		t.Fatal(exercise.Finding{
			Expected: "the effect's error, and no order", Seen: fmt.Sprintf("error %v, and %d orders", err, n),
			Because: "an effect that fails is undone as a whole", Hint: "roll back", Lesson: oneTransaction,
		})
	}
	if result := s.ask(t, "ann", "k1"); result != "order 1" || s.orders(t) != 1 {
		t.Fatal(exercise.Finding{
			Expected: `"order 1" and 1 order, when it is tried again`, Seen: fmt.Sprintf("%q and %d orders", result, s.orders(t)),
			Because: "a record without an effect skips a real order for ever",
			Hint:    "was the record written in a transaction of its own, before the effect?", Lesson: oneTransaction,
		})
	}
}

// recordFails is a crash between the effect and the record, if there is a between.
func recordFails(t *testing.T, s *shop) {
	for _, event := range []string{"INSERT", "UPDATE"} {
		trigger := fmt.Sprintf("CREATE TRIGGER crash_%s AFTER %s ON records WHEN (SELECT count(*) FROM orders) > 0 "+
			"BEGIN SELECT RAISE(ABORT, 'the power is gone'); END", event, event)
		if _, err := s.db.ExecContext(t.Context(), trigger); err != nil {
			t.Fatal(exercise.Finding{Expected: "a table records", Seen: err.Error(), Because: "its writing is what is watched", Lesson: oneTransaction})
		}
	}
	_, err := s.do(t.Context(), s.db, "ann", "k1", order)
	if n := s.orders(t); n != 0 {
		t.Fatal(exercise.Finding{
			Expected: "no order, when the power goes as the record is written", Seen: fmt.Sprintf("%d orders", n),
			Because: "an effect without a record is had again by the repeat",
			Hint:    "write the record with the effect's own transaction, before its commit", Lesson: oneTransaction,
		})
	}
	if err == nil {
		t.Fatal(exercise.Finding{
			Expected: "an error, when the record cannot be written", Seen: "a result",
			Because: "a result that is not stored cannot be given to the repeat", Lesson: oneTransaction,
		})
	}
}

func scope(t *testing.T, s *shop) {
	anns, bobs := s.ask(t, "ann", "k1"), s.ask(t, "bob", "k1")
	if n := s.orders(t); anns == bobs || n != 2 {
		t.Fatal(exercise.Finding{
			Expected: "2 orders, when ann and bob use the same key", Seen: fmt.Sprintf("%d orders, ann got %q, bob got %q", n, anns, bobs),
			Because: "a key is a name among the keys of one principal; a stranger's must not show another's answer",
			Hint:    "who asks belongs into the primary key, and into each WHERE", Lesson: "unknown-results.md#the-record",
		})
	}
}

// concurrent lets a second attempt begin while the first one has had its effect and has not ended.
func concurrent(t *testing.T, s *shop) {
	var second chan string
	errs := make(chan error, 1)
	first, err := s.do(t.Context(), s.db, "ann", "k1", func(tx *sql.Tx) (string, error) {
		result, err := order(tx)
		second = make(chan string, 1)
		begun := s.begins.next()
		go func() {
			result, err := s.do(t.Context(), s.db, "ann", "k1", order)
			errs <- err
			second <- result
		}()
		select {
		case <-begun:
		case <-time.After(patience): // it has another way to wait for its turn
		}
		return result, err
	})
	if second == nil || err != nil {
		t.Fatal(exercise.Finding{
			Expected: "an effect and a result", Seen: fmt.Sprintf("%q, error %v", first, err),
			Because: "nothing has gone wrong", Lesson: oneTransaction,
		})
	}
	err, result := <-errs, <-second
	if n := s.orders(t); err != nil || result != first || n != 1 {
		t.Fatal(exercise.Finding{
			Expected: fmt.Sprintf("1 order, and %q for both of two attempts at once", first),
			Seen:     fmt.Sprintf("%d orders, and for the second attempt %q with error %v", n, result, err),
			Because:  "a look and a later write are two steps, and others come in between",
			Hint:     "begin the transaction before you look, and let the primary key decide", Lesson: oneTransaction,
		})
	}
}

const patience = 20 * time.Second
