package shop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
)

// The names that producer, worker and harness share.
const (
	ProductsKey   = "importer:products"
	GenerationKey = "importer:generation"
	MarkPrefix    = "importer:done:"
	StockPrefix   = "importer:" // begins all three
	QueuePrefix   = "importer-demo:importer-local"
)

// MarkKey is the mark of a batch.
func MarkKey(batch string) string { return MarkPrefix + batch }

// ReadState reads stock, generation and marks straight from Redis, all at one
// moment. What is not as agreed is no error but part of the state: the checker
// speaks of it.
func ReadState(ctx context.Context, rdb *redis.Client) (history.State, error) {
	state := history.State{Stock: dataset.Stock{}, Titles: history.Titles{}, Marks: map[string]history.Mark{}}
	markKeys, err := rdb.Keys(ctx, MarkPrefix+"*").Result()
	if err != nil {
		return state, fmt.Errorf("look for marks: %w", err)
	}
	slices.Sort(markKeys)
	var stock *redis.MapStringStringCmd
	var generation *redis.StringCmd
	marks, lifetimes := make([]*redis.StringCmd, len(markKeys)), make([]*redis.DurationCmd, len(markKeys))
	_, err = rdb.TxPipelined(ctx, func(tx redis.Pipeliner) error {
		stock, generation = tx.HGetAll(ctx, ProductsKey), tx.Get(ctx, GenerationKey)
		for i, key := range markKeys {
			marks[i], lifetimes[i] = tx.Get(ctx, key), tx.PTTL(ctx, key)
		}
		return nil
	})
	// An error of a single command is looked at where its value is.
	if err != nil && !errors.Is(err, redis.Nil) && !wrongType(err) {
		return state, fmt.Errorf("read the stock: %w", err)
	}
	unreadable := func(format string, args ...any) {
		state.Unreadable = append(state.Unreadable, fmt.Sprintf(format, args...))
	}

	if stock.Err() != nil {
		unreadable("%s is no hash", ProductsKey)
	}
	for sku, raw := range stock.Val() {
		var p dataset.Product
		if err := json.Unmarshal([]byte(raw), &p); err != nil || p.SKU != sku {
			unreadable("%s, field %s holds %.100q", ProductsKey, sku, raw)
			continue
		}
		state.Stock[sku], state.Titles[sku] = p.Quantity, p.Title
	}
	if text, err := generation.Result(); err == nil {
		if state.Generation, err = strconv.Atoi(text); err != nil {
			unreadable("%s holds %.100q", GenerationKey, text)
		}
	} else if !errors.Is(err, redis.Nil) {
		unreadable("%s is no string", GenerationKey)
	}
	for i, key := range markKeys {
		// A mark that cannot be read stays a mark, with nothing in it.
		mark := history.Mark{Raw: marks[i].Val(), Lifetime: lifetimes[i].Val() >= 0}
		if marks[i].Err() != nil {
			mark.Raw = marks[i].Err().Error()
		}
		result := resultOf(mark.Raw)
		mark.Imported, mark.BatchID = result.Imported, result.BatchID
		state.Marks[strings.TrimPrefix(key, MarkPrefix)] = mark
	}
	return state, nil
}

// resultOf reads the result in a mark: at its top, or in a field "result" beside
// whatever else the program keeps there.
func resultOf(raw string) history.Result {
	var mark struct {
		history.Result
		Inner history.Result `json:"result"`
	}
	_ = json.Unmarshal([]byte(raw), &mark) // no JSON: no result in it
	if mark.Result == (history.Result{}) {
		return mark.Inner
	}
	return mark.Result
}

func wrongType(err error) bool { return redis.HasErrorPrefix(err, "WRONGTYPE") }

// JobID is the id of the job that the contract gives to a batch, so that a repeat of
// the request finds it.
func JobID(batch string) string { return "shipment-" + batch }
