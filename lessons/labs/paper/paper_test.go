package paper_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/ledger"
	"example.com/importer/lessons/labs/paper"
)

// shop is one database and the ways into it.
type shop struct {
	t    *testing.T
	path string
	*ledger.Ledger
}

func openShop(t *testing.T) shop {
	t.Helper()
	s := shop{t: t, path: filepath.Join(t.TempDir(), "ledger.db")}
	s.Ledger = s.instance(time.Minute)
	if err := s.Stock(t.Context(), "lamp", 10); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s shop) instance(wait time.Duration) *ledger.Ledger {
	s.t.Helper()
	l, err := ledger.Open(s.t.Context(), s.path, wait)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = l.Close() })
	return l
}

func lamps(quantity string) ledger.Request {
	return ledger.Request{Principal: "ann", Operation: ledger.OperationPlace, Key: "k1", Input: []byte(`{"sku":"lamp","quantity":` + quantity + `}`)}
}

func (s shop) first() []byte {
	s.t.Helper()
	answer, err := s.Do(s.t.Context(), lamps("2"), ledger.PlaceOrder)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.Result
}

// second sends the second request, and sees what it is told and what can be read at that moment.
func (s shop) second(l *ledger.Ledger, quantity string, first []byte) (told, knownIn string) {
	s.t.Helper()
	answer, err := l.Do(s.t.Context(), lamps(quantity), ledger.PlaceOrder)
	switch {
	case errors.Is(err, ledger.ErrInProgress):
		told = "in-progress"
	case errors.Is(err, ledger.ErrOtherInput):
		told = "refused"
	case err != nil:
		s.t.Fatal(err)
	case answer.Repeated && string(answer.Result) == string(first):
		told = "first-result"
	case !answer.Repeated:
		told = "new-result"
	}
	record, err := s.Result(s.t.Context(), "ann", ledger.OperationPlace, "k1")
	switch {
	case err == nil && string(record) == string(first):
		knownIn = "record"
	case s.orders() > 0:
		knownIn = "orders"
	default:
		knownIn = "nowhere"
	}
	return told, knownIn
}

func (s shop) orders() int {
	s.t.Helper()
	var n int
	if err := s.DB().QueryRowContext(s.t.Context(), "SELECT count(*) FROM orders").Scan(&n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// The answers that are called right are what the ledger does.
func TestCasesAreWhatTheLedgerDoes(t *testing.T) {
	stories := map[string]func(shop) (told, knownIn string){
		"two-at-once": func(s shop) (told, knownIn string) {
			hasty := s.instance(20 * time.Millisecond)
			_, err := s.Do(t.Context(), lamps("2"), func(ctx context.Context, tx *sql.Tx, r ledger.Request) ([]byte, error) {
				result, err := ledger.PlaceOrder(ctx, tx, r)
				told, knownIn = s.second(hasty, "2", result)
				return result, err
			})
			if err != nil {
				t.Error(err)
			}
			return told, knownIn
		},
		"other-input": func(s shop) (told, knownIn string) {
			return s.second(s.Ledger, "3", s.first())
		},
		"restart-after-commit": func(s shop) (told, knownIn string) {
			first := s.first()
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			s.Ledger = s.instance(time.Minute)
			return s.second(s.Ledger, "2", first)
		},
		"history-deleted": func(s shop) (told, knownIn string) {
			first := s.first()
			if n, err := s.Forget(t.Context(), time.Now().Add(time.Hour)); n != 1 || err != nil {
				t.Errorf("forgot %d, %v", n, err)
			}
			return s.second(s.Ledger, "2", first)
		},
	}
	for _, c := range paper.Cases {
		t.Run(c.Name, func(t *testing.T) {
			s := openShop(t)
			told, knownIn := stories[c.Name](s)
			got := paper.Answer{Effects: strconv.Itoa(s.reopened().orders()), Second: told, KnownIn: knownIn, Then: c.Right.Then}
			if diff := cmp.Diff(c.Right, got); diff != "" {
				t.Errorf("(-called right +what the ledger does):\n%s", diff)
			}
		})
	}
}

func (s shop) reopened() shop {
	s.Ledger = s.instance(time.Minute)
	return s
}

// Every case is told from every other one, and every wrong answer gets a hint that does not give it away.
func TestHints(t *testing.T) {
	for i, c := range paper.Cases {
		if len(c.Judge(c.Right)) > 0 {
			t.Errorf("%s: the right answer is not", c.Name)
		}
		for _, other := range paper.Cases[i+1:] {
			if c.Right == other.Right {
				t.Errorf("%s and %s have one answer", c.Name, other.Name)
			}
		}
		wrong := paper.Answer{Effects: "no", Second: "no", KnownIn: "no", Then: "no"}
		remarks := c.Judge(wrong)
		if len(remarks) != 4 {
			t.Errorf("%s: %d remarks on four wrong fields", c.Name, len(remarks))
		}
		answers := []string{c.Right.Effects, c.Right.Second, c.Right.KnownIn, c.Right.Then}
		for j, r := range remarks {
			if r.Hint == "" || slices.Contains(strings.Fields(r.Hint), answers[j]) {
				t.Errorf("%s, %s: the hint %q", c.Name, r.Field, r.Hint)
			}
		}
	}
}

func TestRead(t *testing.T) {
	content, err := os.ReadFile("testdata/exercises/cases/solution/answers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	right := string(content)
	answers, err := paper.Read(written(t, right))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range paper.Cases {
		if diff := cmp.Diff(c.Right, answers[c.Name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.Name, diff)
		}
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"other value":    {"  second: refused", "  second: perhaps", `answers.yaml:35: second: "perhaps" is none of first-result, in-progress, refused, new-result`},
		"another's":      {"  then: new-key", "  then: refused", `answers.yaml:37: then: "refused" is none of nothing, ask-again, new-key, reconcile`},
		"a list":         {"  effects: 2", "  effects: [2]", `answers.yaml:50: effects: "" is none of 0, 1, 2`},
		"unknown field":  {"  known-in: orders", "  known: orders", `answers.yaml:52: a case has no field "known"; it has effects, second, known-in, then`},
		"field missing":  {"  known-in: orders\n", "", "answers.yaml:49: history-deleted has no field known-in"},
		"field twice":    {"  known-in: orders\n", "  known-in: orders\n  known-in: record\n", "answers.yaml:53: known-in is there already, in line 52"},
		"unknown case":   {"other-input:", "another-input:", `answers.yaml:33: there is no case "another-input"; there are two-at-once, other-input, restart-after-commit, history-deleted`},
		"case twice":     {"history-deleted:", "other-input:", "answers.yaml:49: other-input is there already, in line 33"},
		"no fields":      {"other-input:\n  effects: 1\n  second: refused\n  known-in: record\n  then: new-key\n", "other-input: 1\n", "answers.yaml:33: a list of name: value is expected here"},
		"no YAML":        {"other-input:", "\tother-input", "answers.yaml: yaml: line 33"},
		"nothing at all": {right, "# nothing\n", "answers.yaml: it holds no answers"},
		"case missing":   {right[strings.Index(right, "history-deleted:"):], "", "answers.yaml: the case history-deleted is missing"},
	} {
		if !strings.Contains(right, c.old) {
			t.Fatalf("%s: %q is not in the solution", name, c.old)
		}
		_, err := paper.Read(written(t, strings.Replace(right, c.old, c.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if _, err := paper.Read(filepath.Join(t.TempDir(), "answers.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func written(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func FuzzRead(f *testing.F) {
	f.Add("two-at-once:\n  effects: 1\n")
	f.Add("a: &a [*a]")
	f.Add("two-at-once: {effects: todo, second: todo, known-in: todo, then: todo}")
	f.Fuzz(func(t *testing.T, content string) {
		answers, err := paper.Read(written(t, content))
		if err == nil && len(answers) != len(paper.Cases) {
			t.Errorf("%q: %d cases and no error", content, len(answers))
		}
	})
}
