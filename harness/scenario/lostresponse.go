package scenario

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
	"example.com/importer/harness/world"
	"example.com/importer/harness/world/relay"
	"example.com/importer/harness/world/shop"
	"example.com/importer/harness/world/wire"
)

// lostResponse: the work was done and only its answer is lost, in three places
// of the way; and once the client asks again in the wrong way. Whoever waits for the answer cannot tell this from work that was
// never done, and asks again.
func lostResponse(ctx context.Context, lab *world.Lab, story *history.Story) error {
	third := applyReplyLost
	if !lab.Stage.Works {
		third = noWorker
	}
	for _, part := range []Func{acceptedLost, enqueueReplyLost, third, newID} {
		if err := part(ctx, lab, story); err != nil {
			return err
		}
	}
	return nil
}

// acceptedLost: the server's 202 does not reach the client, which asks again.
func acceptedLost(ctx context.Context, lab *world.Lab, story *history.Story) error {
	return lab.In(ctx, func(w *world.World) error {
		server, first, err := loseAccepted(ctx, w, story, "(a) the 202 is lost")
		if err != nil {
			return err
		}
		second := server.Post(ctx, matrix.BatchA)
		return askedAgain(ctx, w, story, server, matrix.StepAcceptedLost, matrix.StepAcceptedDone, shop.JobID(matrix.BatchA), first, second)
	})
}

// newID: the same, and the client makes a new id for its second try. Nobody can
// tell that from another delivery.
func newID(ctx context.Context, lab *world.Lab, story *history.Story) error {
	return lab.In(ctx, func(w *world.World) error {
		server, first, err := loseAccepted(ctx, w, story, "(d) the 202 is lost")
		if err != nil {
			return err
		}
		second := server.Post(ctx, matrix.BatchNew)
		return askedAgain(ctx, w, story, server, matrix.StepNewID, matrix.StepNewIDDone, shop.JobID(matrix.BatchNew), first, second)
	})
}

// loseAccepted starts a server and loses its answer to the first request.
func loseAccepted(ctx context.Context, w *world.World, story *history.Story, name string) (*world.Server, history.Answer, error) {
	server, err := w.Serve(ctx, "server", nil)
	if err != nil {
		return nil, history.Answer{}, err
	}
	line, err := relay.Listen(ctx, server.Base)
	if err != nil {
		return nil, history.Answer{}, fmt.Errorf("relay before the server: %w", err)
	}
	defer line.Close()
	loss := line.LoseNext(func(*http.Request) bool { return true })
	client := shop.NewClient(line.URL(), server.HTTP.Timeout)
	defer client.Close()

	first := client.Post(ctx, matrix.BatchA)
	fault := history.Fault{Name: name}
	lost, err := loss.Await(ctx) // the answer is lost by now, or the client was not answered for another reason
	if err == nil && first.Status == 0 {
		fault.Fired = true
		fault.Evidence = []string{
			fmt.Sprintf("the server answered %s %s with %d %s", lost.Method, lost.Path, lost.Status, oneLine(strings.TrimSpace(string(lost.Body)))),
			"the client got no answer: " + first.Lost,
		}
	} else {
		fault.Why = fmt.Sprintf("the client was answered with %d (%v)", first.Status, err)
	}
	story.Faults = append(story.Faults, fault)
	return server, first, nil
}

// enqueueReplyLost: Redis stores the job, and its reply does not reach the
// server. Which command stores it is the program's affair, so a second server
// that nothing happens to is asked after each command whether the job is known.
func enqueueReplyLost(ctx context.Context, lab *world.Lab, story *history.Story) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		witness, err := w.Serve(ctx, "witness", nil)
		if err != nil {
			return err
		}
		trap := server.Wire.Trap(wire.AfterServer, func(c wire.Command) bool { return c.Touches(shop.QueuePrefix) })
		answered := make(chan history.Answer, 1)
		go func() { answered <- untilKnown(ctx, server, witness) }()

		fault, err := cutWhen(ctx, trap, "(b) the enqueue's reply is lost", func() (string, error) {
			var job *history.Job
			err := w.Until(ctx, "an answer of the witness", func(ctx context.Context) (_ bool, err error) {
				job, err = witness.Job(ctx, shop.JobID(matrix.BatchA))
				return err == nil, err
			})
			if job == nil {
				return "", err
			}
			return "another server then knew the job, in state " + job.State, err
		})
		first := <-answered
		if err != nil {
			return err
		}
		story.Faults = append(story.Faults, fault)
		second := server.Post(ctx, matrix.BatchA)
		return askedAgain(ctx, w, story, server, matrix.StepEnqueueLost, matrix.StepEnqueueDone, shop.JobID(matrix.BatchA), first, second)
	})
}

// untilKnown asks for batch A until it is answered with anything but 503, or its
// job is there: a server that looked too long at a held reply may have given up
// before it came to storing.
func untilKnown(ctx context.Context, server, witness *world.Server) history.Answer {
	for {
		answer := server.Post(ctx, matrix.BatchA)
		if answer.Status != http.StatusServiceUnavailable {
			return answer
		}
		if job, err := witness.Job(ctx, shop.JobID(matrix.BatchA)); job != nil || ctx.Err() != nil || (err != nil && !shop.Unavailable(err)) {
			return answer
		}
	}
}

// askedAgain records what the repeat of a request found, and then lets a worker
// do what is there to do.
func askedAgain(ctx context.Context, w *world.World, story *history.Story, server *world.Server, stepAsked, stepDone, job string, answers ...history.Answer) error {
	if err := look(ctx, w, story, server, stepAsked, job, answers...); err != nil {
		return err
	}
	if !w.Stage.Works {
		return nil
	}
	if _, err := w.Work(ctx, "worker", nil); err != nil {
		return err
	}
	if err := untilIdle(ctx, w, server); err != nil {
		return err
	}
	return look(ctx, w, story, server, stepDone, job)
}

// applyReplyLost: the stock is changed, and the reply does not reach the worker.
// The last command of an import is the one after which stock and generation are
// what they must become; the harness looks at them after each command.
func applyReplyLost(ctx context.Context, lab *world.Lab, story *history.Story) error {
	return lab.In(ctx, func(w *world.World) error {
		server, worker, err := w.Start(ctx, "worker", nil)
		if err != nil {
			return err
		}
		trap := worker.TrapStock(wire.AfterServer)
		answer, err := server.Accept(ctx, matrix.BatchA)
		if err != nil {
			return err
		}
		fault, err := cutWhen(ctx, trap, "(c) the apply's reply is lost", func() (string, error) {
			state, err := shop.ReadState(ctx, w.Redis)
			if err != nil || state.Generation != 1 || !maps.Equal(state.Stock, story.Data.After(1)) {
				return "", err
			}
			return fmt.Sprintf("Redis then held %s of generation %d", story.Data.Line(state.Stock), state.Generation), nil
		})
		if err != nil {
			return err
		}
		story.Faults = append(story.Faults, fault)
		job, err := w.UntilEnded(ctx, server, matrix.BatchA)
		if err != nil {
			return err
		}
		last := &story.Faults[len(story.Faults)-1]
		last.Evidence = append(last.Evidence, fmt.Sprintf("the job ended as %s after %d attempts", job.State, job.Attempts))
		return look(ctx, w, story, server, matrix.StepApplyReplyLost, shop.JobID(matrix.BatchA), answer)
	})
}
