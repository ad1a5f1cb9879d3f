package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/errgroup"

	"example.com/importer/harness/world/shop"
)

// inFlight is how many requests a busy client has open, and how many connections it keeps.
const inFlight = 64

// producer is a client of a running producer that keeps its connections, as a busy client
// does. (The harness's own client opens one for each request, to be able to cut it.)
type producer struct {
	base string
	http *http.Client
}

func newProducer(base string) *producer {
	return &producer{base: base, http: &http.Client{
		Timeout:   patience,
		Transport: &http.Transport{MaxIdleConnsPerHost: inFlight, Proxy: nil},
	}}
}

func (p *producer) close() { p.http.CloseIdleConnections() }

// post asks for the import of a batch. Anything but 202 with the job's id is an error.
func (p *producer) post(ctx context.Context, batch string) error {
	body := `{"dataset":"shipment-a","batchId":"` + batch + `"}`
	var told struct {
		JobID string `json:"jobId"`
	}
	status, err := p.do(ctx, http.MethodPost, "/api/imports", []byte(body), &told)
	if err == nil && (status != http.StatusAccepted || told.JobID != shop.JobID(batch)) {
		err = fmt.Errorf("%w: POST of batch %s was answered with %d and job id %q", ErrWrong, batch, status, told.JobID)
	}
	return err
}

// postAll posts the batches, so many at once.
func (p *producer) postAll(ctx context.Context, batches []string, atOnce int) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, batch := range batches {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return p.post(ctx, batch) })
	}
	return group.Wait()
}

// all waits until so many jobs are in the state, and then expects no others.
func (p *producer) all(ctx context.Context, state string, n int) error {
	var counts map[string]int
	err := until(ctx, fmt.Sprintf("%d jobs %s", n, state), func(ctx context.Context) (bool, error) {
		var body struct {
			Counts map[string]int `json:"counts"`
		}
		status, err := p.do(ctx, http.MethodGet, "/api/imports", nil, &body)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("GET /api/imports was answered with %d", status)
		}
		counts = body.Counts
		return counts[state] >= n, err
	})
	if err != nil {
		return fmt.Errorf("%w (counts are %v)", err, counts)
	}
	others := 0
	for _, count := range counts {
		others += count
	}
	if counts[state] != n || others != n {
		return fmt.Errorf("%w: %d jobs are expected, all of them %s; counts are %v", ErrWrong, n, state, counts)
	}
	return nil
}

func (p *producer) do(ctx context.Context, method, path string, body []byte, into any) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, method, p.base+path, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := p.http.Do(request)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		return response.StatusCode, fmt.Errorf("%s %s: read the answer, status %d: %w", method, path, response.StatusCode, err)
	}
	return response.StatusCode, nil
}
