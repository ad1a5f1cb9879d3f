// Package shop reads a stage as its users do: its HTTP interface, and the stock
// as Redis holds it under the names that all parties share.
package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
)

// maxAnswer bounds what is read of one answer.
const maxAnswer = 1 << 20

// Client speaks to one server of a stage.
type Client struct {
	Base string // http://host:port
	HTTP *http.Client

	looks *http.Client // for looking, again and again: keeps its connection
}

// NewClient makes a client whose every request is bounded by timeout. What asks
// for something has a connection of its own, so that one cut connection is one
// cut request, and nothing is sent twice by the client's own library.
func NewClient(base string, timeout time.Duration) Client {
	client := func(keepAlives bool) *http.Client {
		return &http.Client{
			Timeout:       timeout,
			Transport:     &http.Transport{DisableKeepAlives: !keepAlives, Proxy: nil},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	return Client{Base: base, HTTP: client(false), looks: client(true)}
}

// Close ends the connection that was kept.
func (c Client) Close() { c.looks.CloseIdleConnections() }

// Reply is an answer, read to its end.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
	Took   time.Duration
}

// AnswerError is an answer that is not as the contract says: the program's fault.
type AnswerError struct {
	Request string // method and path
	Problem string
	Reply   Reply
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s: %s; the answer was %d %.300q", e.Request, e.Problem, e.Reply.Status, e.Reply.Body)
}

// Unavailable says whether the program said 503: not now. That is an honest answer
// whenever Redis is slow, and no fault of the program.
func Unavailable(err error) bool {
	var answer *AnswerError
	return errors.As(err, &answer) && answer.Reply.Status == http.StatusServiceUnavailable
}

// Do sends one request. An error means that no whole answer came.
func (c Client) Do(ctx context.Context, method, path, contentType string, body []byte) (Reply, error) {
	return c.send(ctx, c.HTTP, method, path, contentType, body)
}

func (c Client) send(ctx context.Context, via *http.Client, method, path, contentType string, body []byte) (Reply, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return Reply{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	started := time.Now()
	response, err := via.Do(request)
	if err != nil {
		return Reply{Took: time.Since(started)}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	reply := Reply{Status: response.StatusCode, Header: response.Header, Body: content, Took: time.Since(started)}
	if err != nil {
		return reply, fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return reply, nil
}

// Post asks for the import of a batch. An answer that got lost is an answer with
// status 0 and no error: it is what a scenario may be about.
func (c Client) Post(ctx context.Context, batch string) history.Answer {
	body, _ := json.Marshal(map[string]string{"dataset": "shipment-a", "batchId": batch})
	reply, err := c.Do(ctx, http.MethodPost, "/api/imports", "application/json", body)
	answer := history.Answer{Batch: batch, Millis: reply.Took.Milliseconds()}
	if err != nil {
		answer.Lost = err.Error()
		return answer
	}
	answer.Status = reply.Status
	var told struct {
		JobID string `json:"jobId"`
		Code  string `json:"code"`
	}
	if json.Unmarshal(reply.Body, &told) == nil {
		answer.JobID, answer.Code = told.JobID, told.Code
	}
	return answer
}

// Job reads a job; nil if there is no record of it.
func (c Client) Job(ctx context.Context, id string) (*history.Job, error) {
	var told struct {
		history.Job
		Result json.RawMessage `json:"result"`
	}
	found, err := c.get(ctx, "/api/imports/"+id, &told)
	job := told.Job
	if err != nil || !found {
		return nil, err
	}
	job.Raw = string(told.Result)
	if len(told.Result) > 0 {
		err = json.Unmarshal(told.Result, &job.Result)
	}
	if err != nil {
		return nil, &AnswerError{"GET /api/imports/" + id, "its result is not the JSON of the contract: " + err.Error(), Reply{Status: http.StatusOK, Body: told.Result}}
	}
	return &job, nil
}

// Counts reads how many records are kept in each state.
func (c Client) Counts(ctx context.Context) (map[string]int, error) {
	var body struct {
		Counts map[string]int `json:"counts"`
	}
	_, err := c.get(ctx, "/api/imports", &body)
	return body.Counts, err
}

// Products reads the catalogue as the shop shows it.
func (c Client) Products(ctx context.Context) (*history.Catalogue, error) {
	var body struct {
		Generation int               `json:"generation"`
		Products   []dataset.Product `json:"products"`
	}
	if _, err := c.get(ctx, "/api/products", &body); err != nil {
		return nil, err
	}
	view := &history.Catalogue{Generation: body.Generation, Stock: dataset.Stock{}, Titles: history.Titles{}}
	for _, p := range body.Products {
		view.Stock[p.SKU], view.Titles[p.SKU] = p.Quantity, p.Title
	}
	return view, nil
}

// get reads a JSON answer into body; found is false for 404.
func (c Client) get(ctx context.Context, path string, body any) (found bool, err error) {
	reply, err := c.send(ctx, c.looks, http.MethodGet, path, "", nil)
	if err != nil {
		return false, &AnswerError{"GET " + path, "no whole answer came: " + err.Error(), reply}
	}
	if reply.Status == http.StatusNotFound {
		return false, nil
	}
	if reply.Status != http.StatusOK {
		return false, &AnswerError{"GET " + path, "200 is expected", reply}
	}
	if err := json.Unmarshal(reply.Body, body); err != nil {
		return false, &AnswerError{"GET " + path, "it is not the JSON of the contract: " + err.Error(), reply}
	}
	return true, nil
}
