package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	maxBody = 4 << 10 // bytes
	// answerWithin bounds everything that one request asks of Redis, so that 503
	// comes in time whatever Redis does.
	answerWithin        = time.Second
	producerConnections = 64
)

// producer accepts imports. It never reads a shipment and never touches stock.
type producer struct {
	queue   queue
	limiter limiter
	shop    *shop
	log     *slog.Logger
}

// serve runs the producer until ctx ends. It needs no Redis to start: until
// Redis answers, every request that needs it gets 503.
func serve(ctx context.Context, cfg config, log *slog.Logger, stdout io.Writer) error {
	rdb := connect(cfg, answerWithin, producerConnections)
	defer rdb.Close()
	p := producer{
		queue:   queue{rdb},
		limiter: limiter{rdb: rdb, limit: cfg.rateLimit, window: cfg.rateWindow},
		shop:    &shop{rdb: rdb},
		log:     log,
	}
	listener, err := net.Listen("tcp", cfg.httpAddr)
	if err != nil {
		return fmt.Errorf("%w: IMPORTER_HTTP_ADDR=%q: %v", errConfig, cfg.httpAddr, err)
	}
	fmt.Fprintf(stdout, "listening on http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           p.routes(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      10 * time.Second,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stopped := make(chan error, 1)
	stopServing := context.AfterFunc(ctx, func() {
		last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		stopped <- server.Shutdown(last)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		stopServing()
		return fmt.Errorf("serve http: %w", err)
	}
	return <-stopped // requests in hand are answered before this returns
}

func (p producer) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h func(http.ResponseWriter, *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), answerWithin)
			defer cancel()
			if err := h(w, r.WithContext(ctx)); err != nil {
				p.writeProblem(w, r, err)
			}
		})
	}
	handle("POST /api/imports", p.postImport)
	handle("GET /api/imports", p.getCounts)
	handle("GET /api/imports/{jobId}", p.getImport)
	handle("POST /api/imports/{jobId}/retry", p.postRetry)
	handle("GET /api/products", p.getProducts)
	handle("GET /healthz", p.getHealth)

	mux.Handle("/api/imports", p.unknownRoute("GET, HEAD, POST"))
	mux.Handle("/api/imports/{jobId}", p.unknownRoute("GET, HEAD"))
	mux.Handle("/api/imports/{jobId}/retry", p.unknownRoute("POST"))
	mux.Handle("/api/products", p.unknownRoute("GET, HEAD"))
	mux.Handle("/healthz", p.unknownRoute("GET, HEAD"))
	mux.Handle("/", p.unknownRoute(""))
	return mux
}

func (p producer) postImport(w http.ResponseWriter, r *http.Request) error {
	if err := p.withinLimit(w, r); err != nil {
		return err
	}
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	if errors.Is(r.Context().Err(), context.DeadlineExceeded) {
		// The client took the time that is meant for Redis: that is not Redis's fault.
		return problem{http.StatusRequestTimeout, "request_timeout", "the body came too slowly; nothing was stored"}
	}
	data, err := parseRequest(body)
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode job: %w", err)
	}
	id := data.jobID()
	stored, state, err := p.queue.enqueue(r.Context(), id, jobName, string(encoded))
	if err != nil {
		return err
	}
	logEnqueued(p.log, id, stored, state)
	w.Header().Set("Location", "/api/imports/"+id)
	if state == stateFailed {
		// 202 would promise work that nobody is going to do.
		return problem{http.StatusConflict, "job_failed", "job " + id + " has failed and its record is kept: see its error, and put it back by POST /api/imports/" + id + "/retry"}
	}
	// 202: stored for later. Nothing is imported, and no number is known yet.
	return writeJSON(w, http.StatusAccepted, map[string]string{"jobId": id})
}

// postRetry puts a failed job back into the queue. Nobody does this unasked: what
// failed for good failed for a reason, which somebody has to have looked at.
func (p producer) postRetry(w http.ResponseWriter, r *http.Request) error {
	if err := p.withinLimit(w, r); err != nil {
		return err
	}
	id := r.PathValue("jobId")
	done, state, err := p.queue.putBack(r.Context(), id)
	switch {
	case err != nil:
		return err
	case state == "":
		return unknownJob(id)
	case !done:
		return problem{http.StatusConflict, "job_not_failed", "job " + id + " is " + state + "; only a failed job can be put back"}
	}
	logEnqueued(p.log, id, done, state)
	w.Header().Set("Location", "/api/imports/"+id)
	return writeJSON(w, http.StatusAccepted, map[string]string{"jobId": id})
}

// withinLimit counts the request. It comes before everything else: a flood of bad
// requests is a flood as well.
func (p producer) withinLimit(w http.ResponseWriter, r *http.Request) error {
	client, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return fmt.Errorf("client address %q: %w", r.RemoteAddr, err)
	}
	ok, wait, err := p.limiter.allow(r.Context(), client)
	if err != nil {
		return err
	}
	if !ok {
		w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
		return problem{http.StatusTooManyRequests, "rate_limited", "too many requests; the window ends in " + wait.String()}
	}
	return nil
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset := strings.ToLower(params["charset"])
	if err != nil || kind != "application/json" || (charset != "" && charset != "utf-8") || r.Header.Get("Content-Encoding") != "" {
		return nil, problem{http.StatusUnsupportedMediaType, "unsupported_media_type", "the body must be application/json in UTF-8, not encoded"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, problem{http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	case err != nil:
		return nil, problem{http.StatusBadRequest, "invalid_json", "the body could not be read to its end"}
	}
	return body, nil
}

func (p producer) getCounts(w http.ResponseWriter, r *http.Request) error {
	counts, err := p.queue.counts(r.Context())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]any{"counts": counts})
}

func (p producer) getImport(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("jobId")
	found, ok, err := p.queue.find(r.Context(), id)
	if err != nil {
		return err
	}
	if !ok {
		return unknownJob(id)
	}
	return writeJSON(w, http.StatusOK, found)
}

func unknownJob(id string) error {
	return problem{http.StatusNotFound, "not_found", fmt.Sprintf("there is no job %q; its record may have been removed after its retention", id)}
}

func (p producer) getProducts(w http.ResponseWriter, r *http.Request) error {
	view, hit, err := p.shop.read(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("X-Cache", map[bool]string{true: "hit", false: "miss"}[hit])
	return writeJSON(w, http.StatusOK, view)
}

func (p producer) getHealth(w http.ResponseWriter, r *http.Request) error {
	if err := p.queue.rdb.Ping(r.Context()).Err(); err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func writeJSON(w http.ResponseWriter, status int, body any) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone; the work is done
	return nil
}
