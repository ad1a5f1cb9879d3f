package ledger

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
	"modernc.org/sqlite"
)

var (
	//go:embed schema/sqlite.sql
	sqliteSchema string
	//go:embed schema/postgres.sql
	postgresSchema string
)

// Ledger keeps the records in one database. Several of them, in one process or in many, may use the
// same one.
type Ledger struct {
	db      *sql.DB
	dialect dialect
	now     func() time.Time
}

// Open connects to a database and makes its tables if they are not there. The place is the path of an
// SQLite file, or postgres://user:password@host/database. An attempt waits as long as wait for another
// one that has the same key in hand.
func Open(ctx context.Context, place string, wait time.Duration) (*Ledger, error) {
	if wait < time.Millisecond {
		return nil, fmt.Errorf("open a ledger: wait is %v, at least 1ms is needed", wait)
	}
	var d dialect = sqliteDialect{wait}
	if strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://") {
		d = postgresDialect{wait}
	}
	db, err := d.open(place)
	if err != nil {
		return nil, fmt.Errorf("open a ledger: %w", err)
	}
	if _, err := db.ExecContext(ctx, d.schema()); err != nil {
		return nil, errors.Join(fmt.Errorf("make the tables of a ledger: %w", err), db.Close())
	}
	return &Ledger{db: db, dialect: d, now: time.Now}, nil
}

// Close ends the connections. What was committed stays.
func (l *Ledger) Close() error { return l.db.Close() }

// DB is the database, for what else is in it.
func (l *Ledger) DB() *sql.DB { return l.db }

func (l *Ledger) begin(ctx context.Context) (*sql.Tx, error) {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, l.dialect.explain(err)
	}
	if err := l.dialect.begun(ctx, tx); err != nil {
		return nil, errors.Join(err, tx.Rollback())
	}
	return tx, nil
}

// dialect is where the two databases differ: in how long an attempt waits for another, and in how they
// say that the wait is over.
type dialect interface {
	open(place string) (*sql.DB, error)
	schema() string
	begun(context.Context, *sql.Tx) error
	claimed(context.Context, *sql.Tx) error
	explain(error) error
}

// sqliteDialect: a transaction that will write takes the lock of the whole file when it begins. So an
// attempt may have to wait for one with another key, too.
type sqliteDialect struct{ wait time.Duration }

func (d sqliteDialect) open(place string) (*sql.DB, error) {
	options := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(" + strconv.FormatInt(d.wait.Milliseconds(), 10) + ")",
		"journal_mode(WAL)",
		"synchronous(FULL)", // what was committed is on the disk
		"foreign_keys(1)",
	}}
	file := url.URL{Scheme: "file", Opaque: (&url.URL{Path: place}).EscapedPath(), RawQuery: options.Encode()}
	return sql.Open("sqlite", file.String())
}

func (sqliteDialect) schema() string                         { return sqliteSchema }
func (sqliteDialect) begun(context.Context, *sql.Tx) error   { return nil }
func (sqliteDialect) claimed(context.Context, *sql.Tx) error { return nil }

const sqliteBusy = 5 // SQLITE_BUSY; its extended codes have more bits above these eight

func (sqliteDialect) explain(err error) error {
	if e := new(sqlite.Error); errors.As(err, &e) && e.Code()&0xff == sqliteBusy {
		return fmt.Errorf("%w: %w", ErrInProgress, err)
	}
	return err
}

// postgresDialect: the row of the key is what attempts wait for.
type postgresDialect struct{ wait time.Duration }

func (postgresDialect) open(place string) (*sql.DB, error) { return sql.Open("pgx", place) }
func (postgresDialect) schema() string                     { return postgresSchema }

func (d postgresDialect) begun(ctx context.Context, tx *sql.Tx) error {
	// Read committed, whatever the server's default is: after the wait the other attempt's row has to be
	// seen, and not the database as it was before.
	_, err := tx.ExecContext(ctx, fmt.Sprintf(
		"SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = %d", d.wait.Milliseconds()))
	return err
}

// claimed ends the bound: what the effect waits for is no attempt with the same key.
func (postgresDialect) claimed(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "SET LOCAL lock_timeout = 0")
	return err
}

const postgresLockTimeout = "55P03" // lock_not_available

func (postgresDialect) explain(err error) error {
	if e := new(pgconn.PgError); errors.As(err, &e) && e.Code == postgresLockTimeout {
		return fmt.Errorf("%w: %w", ErrInProgress, err)
	}
	return err
}
