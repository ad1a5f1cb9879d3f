package ledger_test

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/importer/lessons/labs/ledger"
)

// postgresVariable names a PostgreSQL server, such as postgres://user@127.0.0.1/test. The tests make
// schemas of their own in it and remove them.
const postgresVariable = "LABS_POSTGRES_URL"

// long is a wait that is over for nobody unless something is broken.
const long = time.Minute

// everywhere runs a test on each database.
func everywhere(t *testing.T, test func(t *testing.T, place string)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteFile(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresSchema(t)) })
}

func sqliteFile(t testing.TB) string { return filepath.Join(t.TempDir(), "ledger.db") }

func postgresSchema(t *testing.T) string {
	t.Helper()
	server := os.Getenv(postgresVariable)
	if server == "" {
		t.Skipf("%s names no server; the test has run on SQLite", postgresVariable)
	}
	u, err := url.Parse(server)
	if err != nil {
		t.Fatalf("%s cannot be read as a URL", postgresVariable) // it may hold a password
	}
	schema := "test_" + strings.ToLower(rand.Text())
	admin := connect(t, server, long)
	execute(t, admin, fmt.Sprintf("CREATE SCHEMA %s", schema))
	t.Cleanup(func() { execute(t, admin, fmt.Sprintf("DROP SCHEMA %s CASCADE", schema)) })
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}

func connect(t testing.TB, place string, wait time.Duration) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(t.Context(), place, wait)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// stocked is a ledger with ten lamps in stock.
func stocked(t testing.TB, place string, wait time.Duration) *ledger.Ledger {
	t.Helper()
	l := connect(t, place, wait)
	if err := l.Stock(t.Context(), "lamp", 10); err != nil {
		t.Fatal(err)
	}
	return l
}

func execute(t testing.TB, l *ledger.Ledger, statement string) {
	t.Helper()
	// Cleaning up comes after the end of the test's own context.
	if _, err := l.DB().Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// totals is the state that the effects have left behind.
type totals struct{ Lamps, Orders, Letters, Records int }

func count(t testing.TB, l *ledger.Ledger) totals {
	t.Helper()
	var n totals
	err := l.DB().QueryRowContext(t.Context(), `SELECT
		(SELECT quantity FROM stock WHERE sku = 'lamp'),
		(SELECT count(*) FROM orders), (SELECT count(*) FROM outbox), (SELECT count(*) FROM operations)`).
		Scan(&n.Lamps, &n.Orders, &n.Letters, &n.Records)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// request is an order for two lamps.
func request(key string) ledger.Request {
	return ledger.Request{Principal: "ann", Operation: ledger.OperationPlace, Key: key, Input: []byte(`{"sku":"lamp","quantity":2}`)}
}

func place(t testing.TB, l *ledger.Ledger, r ledger.Request) ledger.Answer {
	t.Helper()
	answer, err := l.Do(t.Context(), r, ledger.PlaceOrder)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
