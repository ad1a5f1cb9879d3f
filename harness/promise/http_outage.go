package promise

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"syscall"
	"time"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// inTime is how long a producer may take to say that Redis is not there for it.
const inTime = 2 * time.Second

// outage is one way in which Redis is not there.
type outage struct {
	what  string // what Redis does, in words
	begin func(*wire.Proxy) error
	total bool // PING fails as well, and with it GET /healthz

	// What becomes of the commands that the server sends meanwhile, for the
	// record and in words; empty if it cannot send any.
	fate wire.Fate
	fell string
}

var (
	redisRefuses    = outage{what: "Redis refused connections", begin: (*wire.Proxy).Refuse, total: true}
	redisHangs      = outage{what: "Redis gave no answer", begin: (*wire.Proxy).Hang, total: true, fate: wire.Hung, fell: "were left without an answer"}
	redisLoads      = answersAll("LOADING Redis is loading the dataset in memory", true)
	redisIsReadOnly = answersAll("READONLY You can't write against a read only replica.", false)
	redisIsFull     = answersAll("OOM command not allowed when used memory > 'maxmemory'.", false)
)

func answersAll(line string, total bool) outage {
	begin := func(p *wire.Proxy) error { return p.AnswerAll(line) }
	return outage{what: fmt.Sprintf("Redis answered %q", line), begin: begin, total: total, fate: wire.Faked, fell: "got that answer"}
}

// unavailable is the check of one outage: it comes while the server runs, is told
// to every client in time, and is over when Redis is back.
func unavailable(o outage) Func {
	return func(ctx context.Context, lab *world.Lab, saw *Saw) error {
		return lab.In(ctx, func(w *world.World) error {
			server, err := w.Serve(ctx, "server", nil)
			if err != nil {
				return err
			}
			if !post(ctx, server, "before").accepted(saw, "answer to POST before the outage", "before") {
				return nil
			}
			before := len(server.Wire.Exchanges())
			if err := o.begin(server.Wire); err != nil {
				return fmt.Errorf("begin the outage: %w", err)
			}
			batches := o.askAll(ctx, server, saw)
			o.prove(ctx, server, saw, before)
			return o.over(ctx, w, server, saw, 1, batches)
		})
	}
}

// awayAtStart: a server that finds no Redis listens all the same, says 503, and
// needs no other start when Redis comes.
func awayAtStart(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.ServeAway(ctx, "server", nil)
		if err != nil {
			return err
		}
		batches := redisRefuses.askAll(ctx, server, saw)
		redisRefuses.prove(ctx, server, saw, 0)
		return redisRefuses.over(ctx, w, server, saw, 0, batches)
	})
}

// askAll lets several clients ask at once, and one more after them. All must be
// told 503 in time. It returns the batch ids that they asked for.
func (o outage) askAll(ctx context.Context, server *world.Server, saw *Saw) []string {
	batches := []string{"away-1", "away-2", "away-3", "away-4", "away-5", "away-6"}
	last := len(batches) - 1
	answers := make([]answer, len(batches))
	var health answer
	hurried := &world.Server{Program: server.Program, Client: shop.NewClient(server.Base, 2*inTime)}
	var clients sync.WaitGroup
	for i, batch := range batches[:last] {
		clients.Go(func() { answers[i] = post(ctx, hurried, batch) })
	}
	if o.total {
		clients.Go(func() { health = get(ctx, hurried, "/healthz") })
	}
	clients.Wait()
	answers[last] = post(ctx, hurried, batches[last])
	o.askToRead(ctx, hurried, saw)

	slowest := health.Took
	for _, seen := range answers {
		slowest = max(slowest, seen.Took)
	}
	for i, seen := range answers {
		if !o.told(saw, "POST of "+batches[i], seen) {
			break // the others would say the same
		}
	}
	if o.total {
		o.told(saw, "GET /healthz", health)
	}
	saw.Note("%s: the slowest of %d answers at once and one more took %v", o.what, last, slowest.Round(time.Millisecond))
	return batches
}

// askToRead asks for what is only read. A job that cannot be looked up is not unknown,
// and a copy of the catalogue is good for a generation that cannot be told.
func (o outage) askToRead(ctx context.Context, server *world.Server, saw *Saw) {
	if !o.total {
		return // then reading works
	}
	paths := []string{importsPath, importsPath + "/" + shop.JobID("before"), "/api/products"}
	answers := make([]answer, len(paths))
	atOnce(len(paths), func(i int) { answers[i] = get(ctx, server, paths[i]) })
	for i, seen := range answers {
		o.told(saw, "GET "+paths[i], seen)
	}
}

// told sees 503 in time.
func (o outage) told(saw *Saw, request string, seen answer) bool {
	about := request + " while " + o.what
	clear := seen.refused(saw, "answer to "+about, http.StatusServiceUnavailable, "redis_unavailable")
	soon := saw.Soon(seen.Took <= inTime, "time of the answer to "+about, "at most "+inTime.String(), seen.Took.Round(time.Millisecond).String())
	return clear && soon
}

// prove notes what shows that the outage reached the server, or that nothing does.
func (o outage) prove(ctx context.Context, server *world.Server, saw *Saw, before int) {
	if o.fate == "" {
		conn, err := server.Wire.Dial(ctx)
		if err == nil {
			conn.Close()
		}
		open, _ := server.Wire.Connections()
		if !errors.Is(err, syscall.ECONNREFUSED) || open > 0 {
			saw.Missing = fmt.Sprintf("fault did not fire: the server had %d connections during the outage, and a new one was answered with: %v", open, err)
			return
		}
		saw.Note("the server had no connection to Redis, and a new one was refused")
		return
	}
	hit, example := 0, ""
	for _, exchange := range server.Wire.Exchanges()[before:] {
		if exchange.Fate == o.fate && !exchange.Forwarded {
			hit, example = hit+1, exchange.Name()
		}
	}
	if hit == 0 {
		saw.Missing = "fault did not fire: the server sent no command during the outage"
		return
	}
	saw.Note("%d commands of the server, such as %s, did not reach Redis: they %s", hit, example, o.fell)
}
