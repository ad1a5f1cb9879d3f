package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
)

// OperationPlace is the kind of operation that PlaceOrder is.
const OperationPlace = "place-order"

// Order is the input of PlaceOrder.
type Order struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
	// Reference is the client's own name for the order. An order that has one is there once, whatever
	// else is forgotten.
	Reference string `json:"reference,omitempty"`
}

// Placed is the result of PlaceOrder.
type Placed struct {
	Order int64 `json:"order"` // the id of the new row
	Left  int   `json:"left"`  // in stock
}

var (
	// ErrShort is the refusal of an order for more than there is.
	ErrShort = errors.New("there is not enough in stock")
	// ErrReference is the refusal of a reference that an order has already.
	ErrReference = errors.New("there is an order with this reference")
)

// PlaceOrder is an effect: it takes the quantity from stock, makes an order and puts a letter about it
// into the outbox, all of it with tx.
func PlaceOrder(ctx context.Context, tx *sql.Tx, r Request) ([]byte, error) {
	var order Order
	decoder := json.NewDecoder(bytes.NewReader(r.Input))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&order); err != nil {
		return nil, fmt.Errorf("%w: read the order: %w", ErrInput, err)
	}
	if order.SKU == "" || order.Quantity < 1 {
		return nil, fmt.Errorf("%w: an order names a sku and a quantity of at least 1, got %q and %d", ErrInput, order.SKU, order.Quantity)
	}
	var placed Placed
	err := tx.QueryRowContext(ctx, `
		UPDATE stock SET quantity = quantity - $2 WHERE sku = $1 AND quantity >= $2
		RETURNING quantity`, order.SKU, order.Quantity).Scan(&placed.Left)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%d of %s: %w", order.Quantity, order.SKU, ErrShort)
	}
	if err != nil {
		return nil, fmt.Errorf("take %d of %s from stock: %w", order.Quantity, order.SKU, err)
	}
	reference := sql.NullString{String: order.Reference, Valid: order.Reference != ""}
	err = tx.QueryRowContext(ctx, `
		INSERT INTO orders (principal, reference, sku, quantity) VALUES ($1, $2, $3, $4)
		ON CONFLICT (principal, reference) DO NOTHING
		RETURNING id`, r.Principal, reference, order.SKU, order.Quantity).Scan(&placed.Order)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%q: %w", order.Reference, ErrReference)
	}
	if err != nil {
		return nil, fmt.Errorf("make an order: %w", err)
	}
	letter := fmt.Sprintf("order %d: %d of %s", placed.Order, order.Quantity, order.SKU)
	if _, err := tx.ExecContext(ctx, `INSERT INTO outbox (body) VALUES ($1)`, letter); err != nil {
		return nil, fmt.Errorf("put a letter into the outbox: %w", err)
	}
	return json.Marshal(placed)
}

// Stock sets how much of a product there is.
func (l *Ledger) Stock(ctx context.Context, sku string, quantity int) error {
	_, err := l.db.ExecContext(ctx, `
		INSERT INTO stock (sku, quantity) VALUES ($1, $2)
		ON CONFLICT (sku) DO UPDATE SET quantity = excluded.quantity`, sku, quantity)
	if err != nil {
		return fmt.Errorf("set the stock of %s: %w", sku, err)
	}
	return nil
}

// OrderByReference is the id of the principal's order with a reference, or ErrUnknown. It is how a
// client finds out what became of an order when the ledger has forgotten it.
func (l *Ledger) OrderByReference(ctx context.Context, principal, reference string) (id int64, err error) {
	err = l.db.QueryRowContext(ctx, `SELECT id FROM orders WHERE principal = $1 AND reference = $2`, principal, reference).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrUnknown
	}
	if err != nil {
		return 0, fmt.Errorf("look for an order by its reference: %w", err)
	}
	return id, nil
}
