package ledger_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"example.com/importer/lessons/labs/ledger"
)

// shop is a ledger in a file of its own, with ten lamps in stock, for examples: they have no test to
// report to.
type shop struct {
	*ledger.Ledger
	folder string
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func open() shop {
	s := shop{folder: must(os.MkdirTemp("", "importer-ledger-"))}
	s.Ledger = must(ledger.Open(context.Background(), s.path(), time.Minute))
	must(0, s.Stock(context.Background(), "lamp", 10))
	return s
}

func (s shop) path() string { return filepath.Join(s.folder, "ledger.db") }

func (s shop) close() {
	must(0, s.Close())
	must(0, os.RemoveAll(s.folder))
}

func (s shop) orders() int {
	var n int
	must(0, s.DB().QueryRow("SELECT count(*) FROM orders").Scan(&n))
	return n
}

// The client sees the same three times. How many orders there are then, it cannot know.
func ExampleHandler_lostAnswers() {
	fmt.Println("what happened                  orders  same key  new key")
	for _, c := range []struct {
		name string
		fate fate
	}{
		{"the request did not arrive", notArrived},
		{"the server stopped before it", stopped},
		{"done, and the answer lost", answerLost},
		{"still on its way", onItsWay},
	} {
		var orders [3]int
		for i, key := range []string{"", "k1", "k2"} {
			s := open()
			n := network{server: ledger.Handler(s.Ledger, principal), fate: c.fate}
			if _, err := n.order(context.Background(), "k1"); !errors.Is(err, errNoAnswer) {
				panic("the client was told something")
			}
			if key != "" {
				n.fate = allGoesWell
				must(n.order(context.Background(), key))
				must(n.arrive(context.Background()))
			}
			orders[i] = s.orders()
			s.close()
		}
		fmt.Printf("%-29s  %-6d  %-8d  %d\n", c.name, orders[0], orders[1], orders[2])
	}
	// Output:
	// what happened                  orders  same key  new key
	// the request did not arrive     0       1         1
	// the server stopped before it   0       1         1
	// done, and the answer lost      1       1         2
	// still on its way               0       1         2
}

func ExampleHandler_stillOnItsWay() {
	s := open()
	defer s.close()
	ctx := context.Background()
	n := network{server: ledger.Handler(s.Ledger, principal), fate: onItsWay}
	_, _ = n.order(ctx, "k1") // no answer

	question := httptest.NewRequestWithContext(ctx, "GET", "/orders/by-key/k1", nil)
	question.Header.Set("Authorization", "Bearer a")
	recorder := httptest.NewRecorder()
	n.server.ServeHTTP(recorder, question)
	fmt.Println("the client asks for its order:", recorder.Code)

	n.fate = allGoesWell
	fmt.Println("it orders anew, with the key k2:", must(n.order(ctx, "k2")))
	fmt.Println("the first request arrives, with k1:", must(n.arrive(ctx)))
	fmt.Println("orders:", s.orders())
	// Output:
	// the client asks for its order: 404
	// it orders anew, with the key k2: 201
	// the first request arrives, with k1: 201
	// orders: 2
}

func ExampleLedger_Do() {
	s := open()
	defer s.close()
	for _, input := range []string{
		`{"sku":"lamp","quantity":2}`,
		`{"quantity": 2.0, "sku": "lamp"}`,
		`{"sku":"lamp","quantity":3}`,
	} {
		r := ledger.Request{Principal: "ann", Operation: ledger.OperationPlace, Key: "k1", Input: []byte(input)}
		answer, err := s.Do(context.Background(), r, ledger.PlaceOrder)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s repeated: %v\n", answer.Result, answer.Repeated)
	}
	fmt.Println("orders:", s.orders())
	// Output:
	// {"order":1,"left":8} repeated: false
	// {"order":1,"left":8} repeated: true
	// place-order: this key was used with another input
	// orders: 1
}

func ExampleLedger_Result() {
	s := open()
	defer s.close()
	must(s.Do(context.Background(), request("k1"), ledger.PlaceOrder))
	for _, c := range [][2]string{{"ann", "k1"}, {"bob", "k1"}, {"bob", "k2"}} {
		result, err := s.Result(context.Background(), c[0], ledger.OperationPlace, c[1])
		fmt.Println(c[0], "asks for", c[1]+":", string(result), err)
	}
	// Output:
	// ann asks for k1: {"order":1,"left":8} <nil>
	// bob asks for k1:  there is no such operation
	// bob asks for k2:  there is no such operation
}

func ExampleMemory() {
	s := open()
	defer s.close()
	give := func(d doer) int {
		must(d.Do(context.Background(), request("k1"), ledger.PlaceOrder))
		return s.orders()
	}
	memory := ledger.NewMemory(s.Ledger)
	fmt.Println("map: first request: ", give(memory))
	fmt.Println("map: repeat:        ", give(memory))
	fmt.Println("map: after a restart:", give(ledger.NewMemory(s.Ledger)))
	fmt.Println("map: second instance:", give(ledger.NewMemory(s.Ledger)))

	s2 := open()
	defer s2.close()
	for _, d := range []doer{s2, s2} {
		must(d.Do(context.Background(), request("k1"), ledger.PlaceOrder))
	}
	for range 2 {
		another := must(ledger.Open(context.Background(), s2.path(), time.Minute))
		must(another.Do(context.Background(), request("k1"), ledger.PlaceOrder))
		must(0, another.Close())
	}
	fmt.Println("ledger: the same four:", s2.orders())
	// Output:
	// map: first request:  1
	// map: repeat:         1
	// map: after a restart: 2
	// map: second instance: 3
	// ledger: the same four: 1
}

func ExampleLedger_Forget() {
	s := open()
	defer s.close()
	ctx, all := context.Background(), time.Now().Add(time.Hour)
	plain := request("k1")
	named := request("k2")
	named.Input = []byte(`{"sku":"lamp","quantity":2,"reference":"party"}`)
	for _, r := range []ledger.Request{plain, named} {
		must(s.Do(ctx, r, ledger.PlaceOrder))
	}
	fmt.Println("orders:", s.orders())
	fmt.Println("records forgotten:", must(s.Forget(ctx, all)))
	for _, r := range []ledger.Request{plain, named} {
		_, err := s.Do(ctx, r, ledger.PlaceOrder)
		fmt.Println("repeat of", r.Key+":", err, "- orders:", s.orders())
	}
	fmt.Println("the order of ann's reference:", must(s.OrderByReference(ctx, "ann", "party")))
	// Output:
	// orders: 2
	// records forgotten: 2
	// repeat of k1: <nil> - orders: 3
	// repeat of k2: place-order: "party": there is an order with this reference - orders: 3
	// the order of ann's reference: 2
}

func ExampleLedger_Relay() {
	s := open()
	defer s.close()
	must(s.Do(context.Background(), request("k1"), ledger.PlaceOrder))
	post := postman{stopAfter: 1}
	for range 2 {
		marked, err := s.Relay(context.Background(), post.send)
		fmt.Println("marked as sent:", marked, "error:", err)
	}
	fmt.Println("the receiver has seen:", len(post.delivered))

	receiver := open()
	defer receiver.close()
	parcels := 0
	for _, letter := range post.delivered {
		answer := must(ledger.Receive(context.Background(), receiver.Ledger, "shop", letter,
			func(context.Context, *sql.Tx, ledger.Request) ([]byte, error) { return []byte(`"packed"`), nil }))
		if !answer.Repeated {
			parcels++
		}
	}
	fmt.Println("and has packed:", parcels)
	// Output:
	// marked as sent: 0 error: send letter 1: stopped
	// marked as sent: 1 error: <nil>
	// the receiver has seen: 2
	// and has packed: 1
}
