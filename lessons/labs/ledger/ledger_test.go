package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/ledger"
)

func TestRepeat(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		first := place(t, l, request("k1"))
		again := place(t, l, request("k1"))
		want := ledger.Answer{Result: first.Result, Repeated: true}
		if diff := cmp.Diff(want, again); diff != "" {
			t.Errorf("the repeat's answer (-want +got):\n%s", diff)
		}
		if first.Repeated || string(first.Result) != `{"order":1,"left":8}` {
			t.Errorf("the first answer: repeated %v, %s", first.Repeated, first.Result)
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, l)); diff != "" {
			t.Errorf("after two attempts (-want +got):\n%s", diff)
		}
		place(t, l, request("k2"))
		if diff := cmp.Diff(totals{Lamps: 6, Orders: 2, Letters: 2, Records: 2}, count(t, l)); diff != "" {
			t.Errorf("after a second operation (-want +got):\n%s", diff)
		}
	})
}

// Many attempts with one key, at once and through two instances.
func TestConcurrentAttempts(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		instances := []*ledger.Ledger{stocked(t, where, long), connect(t, where, long)}
		const attempts = 16
		answers := make([]ledger.Answer, attempts)
		var ready, done sync.WaitGroup
		ready.Add(attempts)
		for i := range attempts {
			done.Go(func() {
				ready.Done()
				ready.Wait()
				var err error
				if answers[i], err = instances[i%2].Do(t.Context(), request("k1"), ledger.PlaceOrder); err != nil {
					t.Error(err)
				}
			})
		}
		done.Wait()
		firsts := 0
		for _, answer := range answers {
			if !answer.Repeated {
				firsts++
			}
			if diff := cmp.Diff(string(answers[0].Result), string(answer.Result)); diff != "" {
				t.Errorf("two results for one key:\n%s", diff)
			}
		}
		if firsts != 1 {
			t.Errorf("%d attempts had the effect, want 1", firsts)
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, instances[0])); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestOtherInput(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		spelled := request("k1")
		spelled.Input = []byte("{ \"quantity\" : 2.0,\n \"sku\" : \"\\u006camp\" }")
		place(t, l, spelled)
		other := request("k1")
		other.Input = []byte(`{"sku":"lamp","quantity":3}`)
		if _, err := l.Do(t.Context(), other, ledger.PlaceOrder); !errors.Is(err, ledger.ErrOtherInput) {
			t.Errorf("got %v, want ErrOtherInput", err)
		}
		if answer := place(t, l, request("k1")); !answer.Repeated {
			t.Error("the same input in another spelling was taken for another operation")
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, l)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// held is an attempt whose effect has been had and whose transaction has not ended.
func held(t *testing.T, l *ledger.Ledger, r ledger.Request, outcome error) (end func() error) {
	t.Helper()
	inside, release := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		_, err := l.Do(t.Context(), r, func(ctx context.Context, tx *sql.Tx, r ledger.Request) ([]byte, error) {
			result, err := ledger.PlaceOrder(ctx, tx, r)
			close(inside)
			<-release
			return result, errors.Join(err, outcome)
		})
		ended <- err
	}()
	end = sync.OnceValue(func() error {
		close(release)
		return <-ended
	})
	t.Cleanup(func() { _ = end() })
	select {
	case <-inside:
	case err := <-ended:
		ended <- err
		t.Fatalf("the effect was not reached: %v", err)
	}
	return end
}

func TestInProgress(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		hasty := connect(t, where, 20*time.Millisecond)
		end := held(t, l, request("k1"), nil)
		if _, err := hasty.Do(t.Context(), request("k1"), ledger.PlaceOrder); !errors.Is(err, ledger.ErrInProgress) {
			t.Errorf("while the first attempt was at it: got %v, want ErrInProgress", err)
		}
		if _, err := hasty.Result(t.Context(), "ann", ledger.OperationPlace, "k1"); !errors.Is(err, ledger.ErrUnknown) {
			t.Errorf("a result was shown that was not committed: %v", err)
		}
		// Neither the claim nor anything else is seen by others before all of it is.
		if diff := cmp.Diff(totals{Lamps: 10}, count(t, hasty)); diff != "" {
			t.Errorf("while the first attempt was at it (-want +got):\n%s", diff)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		if answer := place(t, hasty, request("k1")); !answer.Repeated {
			t.Error("after the first attempt had ended, another one had the effect again")
		}
		if n := count(t, l); n.Orders != 1 {
			t.Errorf("%d orders, want 1", n.Orders)
		}
	})
}

// Who waits while the first attempt fails, is the first one then.
func TestWaitForAnAttemptThatFails(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		waiting := connect(t, where, long)
		failure := errors.New("the power is gone")
		end := held(t, l, request("k1"), failure)
		answered := make(chan ledger.Answer, 1)
		go func() {
			answer, err := waiting.Do(t.Context(), request("k1"), ledger.PlaceOrder)
			if err != nil {
				t.Error(err)
			}
			answered <- answer
		}()
		if err := end(); !errors.Is(err, failure) {
			t.Errorf("the first attempt: %v", err)
		}
		if answer := <-answered; answer.Repeated {
			t.Error("the second attempt got a result of an effect that was undone")
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, l)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// SQLite has one writer at a time, so a short wait can be over because of somebody else's key.
func TestAnotherKeyInProgress(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		hasty := connect(t, where, 20*time.Millisecond)
		held(t, l, request("k1"), nil)
		nothing := func(context.Context, *sql.Tx, ledger.Request) ([]byte, error) { return []byte("{}"), nil }
		_, err := hasty.Do(t.Context(), request("k2"), nothing)
		if strings.HasPrefix(where, "postgres") {
			if err != nil {
				t.Errorf("PostgreSQL let one key wait for another: %v", err)
			}
		} else if !errors.Is(err, ledger.ErrInProgress) {
			t.Errorf("SQLite had two writers at a time: %v", err)
		}
	})
}

// An effect that fails leaves nothing: no order, no letter, and no record either.
func TestFailedEffect(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		failure := errors.New("no")
		_, err := l.Do(t.Context(), request("k1"), func(ctx context.Context, tx *sql.Tx, r ledger.Request) ([]byte, error) {
			if _, err := ledger.PlaceOrder(ctx, tx, r); err != nil {
				t.Error(err)
			}
			return nil, failure
		})
		if !errors.Is(err, failure) {
			t.Errorf("got %v, want the effect's error", err)
		}
		if diff := cmp.Diff(totals{Lamps: 10}, count(t, l)); diff != "" {
			t.Errorf("after a failed effect (-want +got):\n%s", diff)
		}
		if answer := place(t, l, request("k1")); answer.Repeated {
			t.Error("the failed attempt has used up the key")
		}

		greedy := request("k2")
		greedy.Input = []byte(`{"sku":"lamp","quantity":9}`)
		if _, err := l.Do(t.Context(), greedy, ledger.PlaceOrder); !errors.Is(err, ledger.ErrShort) {
			t.Errorf("an order for more than there is: %v, want ErrShort", err)
		}
		if diff := cmp.Diff(totals{Lamps: 8, Orders: 1, Letters: 1, Records: 1}, count(t, l)); diff != "" {
			t.Errorf("after a refusal (-want +got):\n%s", diff)
		}
	})
}

// The scope of a key is a principal and a kind of operation.
func TestScope(t *testing.T) {
	everywhere(t, func(t *testing.T, where string) {
		l := stocked(t, where, long)
		annes := place(t, l, request("k1"))

		_, others := l.Result(t.Context(), "bob", ledger.OperationPlace, "k1")
		_, unused := l.Result(t.Context(), "bob", ledger.OperationPlace, "k2")
		if !errors.Is(others, ledger.ErrUnknown) || others.Error() != unused.Error() {
			t.Errorf("somebody else's key is answered %q, one that nobody used %q: want the same", others, unused)
		}
		if result, err := l.Result(t.Context(), "ann", ledger.OperationPlace, "k1"); err != nil || string(result) != string(annes.Result) {
			t.Errorf("her own: %s, %v", result, err)
		}
		if _, err := l.Result(t.Context(), "ann", "cancel-order", "k1"); !errors.Is(err, ledger.ErrUnknown) {
			t.Errorf("another kind of operation: %v, want ErrUnknown", err)
		}

		bobs := request("k1")
		bobs.Principal = "bob"
		if answer := place(t, l, bobs); answer.Repeated || string(answer.Result) == string(annes.Result) {
			t.Errorf("bob was given ann's result: %s", answer.Result)
		}
		if n := count(t, l); n.Orders != 2 {
			t.Errorf("%d orders, want one for each", n.Orders)
		}
	})
}

func TestRequestsThatAreRefused(t *testing.T) {
	l := stocked(t, sqliteFile(t), long)
	for name, c := range map[string]struct {
		change func(*ledger.Request)
		want   error
	}{
		"no principal": {func(r *ledger.Request) { r.Principal = "" }, ledger.ErrRequest},
		"no operation": {func(r *ledger.Request) { r.Operation = "" }, ledger.ErrRequest},
		"no key":       {func(r *ledger.Request) { r.Key = "" }, ledger.ErrRequest},
		"long key":     {func(r *ledger.Request) { r.Key = strings.Repeat("k", 201) }, ledger.ErrRequest},
		"no JSON":      {func(r *ledger.Request) { r.Input = []byte("{") }, ledger.ErrInput},
		"no order":     {func(r *ledger.Request) { r.Input = []byte("{}") }, ledger.ErrInput},
		"other types":  {func(r *ledger.Request) { r.Input = []byte(`{"sku":1,"quantity":"2"}`) }, ledger.ErrInput},
		"half a lamp":  {func(r *ledger.Request) { r.Input = []byte(`{"sku":"lamp","quantity":0.5}`) }, ledger.ErrInput},
		"unknown name": {func(r *ledger.Request) { r.Input = []byte(`{"sku":"lamp","quantity":2,"gift":true}`) }, ledger.ErrInput},
	} {
		r := request("k1")
		c.change(&r)
		if _, err := l.Do(t.Context(), r, ledger.PlaceOrder); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if diff := cmp.Diff(totals{Lamps: 10}, count(t, l)); diff != "" {
		t.Errorf("after refusals (-want +got):\n%s", diff)
	}
	if _, err := ledger.Open(t.Context(), sqliteFile(t), 0); err == nil {
		t.Error("a ledger that waits for nobody was opened")
	}
}

func TestOddPath(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a b%20c?d#e")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "ledger.db")
	place(t, stocked(t, file, long), request("k1"))
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the ledger is somewhere else: %v", err)
	}
}
