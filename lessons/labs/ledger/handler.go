package ledger

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// KeyHeader carries the client's key. The header alone guarantees nothing; what it is good for is the
// contract of Handler.
const KeyHeader = "Idempotency-Key"

const largestBody = 4 << 10

// Handler offers orders over HTTP. The principal is whom authentication has found behind a request.
//
//	POST /orders                 with KeyHeader: places the order of the body. 201 and the result, the
//	                             same for every repeat
//	GET  /orders/by-key/{key}    200 and the stored result of the principal's own key, else 404
//
// A refusal is a problem of RFC 9457 with a code: 400 bad_request, 401 not_authenticated, 404
// not_found, 409 in_progress (ask again with the same key), 413 body_too_large, 422 other_input,
// not_enough_stock or reference_taken, 503 not_known (ask again with the same key).
func Handler(l *Ledger, principal func(*http.Request) (name string, known bool)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		who, known := principal(r)
		if !known {
			refuse(w, errNotAuthenticated)
			return
		}
		input, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largestBody))
		if err != nil {
			refuse(w, err)
			return
		}
		request := Request{Principal: who, Operation: OperationPlace, Key: r.Header.Get(KeyHeader), Input: input}
		answer, err := l.Do(r.Context(), request, PlaceOrder)
		if err != nil {
			refuse(w, err)
			return
		}
		write(w, "application/json", http.StatusCreated, answer.Result)
	})
	mux.HandleFunc("GET /orders/by-key/{key}", func(w http.ResponseWriter, r *http.Request) {
		who, known := principal(r)
		if !known {
			refuse(w, errNotAuthenticated)
			return
		}
		result, err := l.Result(r.Context(), who, OperationPlace, r.PathValue("key"))
		if err != nil {
			refuse(w, err)
			return
		}
		write(w, "application/json", http.StatusOK, result)
	})
	return mux
}

var errNotAuthenticated = errors.New("who asks is not known")

// problem is the body of a refusal.
type problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Title  string `json:"title"`
}

func refuse(w http.ResponseWriter, err error) {
	p := explain(err)
	switch p.Status {
	case http.StatusConflict, http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer realm="orders"`)
	}
	body, err := json.Marshal(p)
	if err != nil {
		body = []byte(`{"status":500,"code":"internal"}`)
	}
	write(w, "application/problem+json", p.Status, body)
}

// explain says of an error only what the client may know. What a database says about itself is not
// among it.
func explain(err error) problem {
	var tooLarge *http.MaxBytesError
	for _, known := range []struct {
		is     bool
		status int
		code   string
	}{
		{errors.Is(err, errNotAuthenticated), http.StatusUnauthorized, "not_authenticated"},
		{errors.As(err, &tooLarge), http.StatusRequestEntityTooLarge, "body_too_large"},
		{errors.Is(err, ErrRequest), http.StatusBadRequest, "bad_request"},
		{errors.Is(err, ErrInput), http.StatusBadRequest, "bad_request"},
		{errors.Is(err, ErrUnknown), http.StatusNotFound, "not_found"},
		{errors.Is(err, ErrShort), http.StatusUnprocessableEntity, "not_enough_stock"},
		{errors.Is(err, ErrReference), http.StatusUnprocessableEntity, "reference_taken"},
		{errors.Is(err, ErrOtherInput), http.StatusUnprocessableEntity, "other_input"},
	} {
		if known.is {
			return problem{known.status, known.code, err.Error()}
		}
	}
	if errors.Is(err, ErrInProgress) {
		return problem{http.StatusConflict, "in_progress", ErrInProgress.Error()}
	}
	return problem{http.StatusServiceUnavailable, "not_known", ErrNotKnown.Error()}
}

func write(w http.ResponseWriter, kind string, status int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = io.Copy(w, strings.NewReader(string(body)+"\n")) // a client that has gone asks again
}
