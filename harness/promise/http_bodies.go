package promise

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/shop"
)

// bodyRefusals sends every body of the table. First those that must be refused:
// only then can it be seen that they stored nothing.
func bodyRefusals(ctx context.Context, lab *world.Lab, saw *Saw) error {
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		before, err := w.Dump(ctx, shop.StockPrefix)
		if err != nil {
			return err
		}
		for _, c := range refusedBodies {
			c.send(ctx, server).refused(saw, "POST with "+c.about, c.status, c.code)
		}
		few(saw)
		clean := waiting(ctx, server, saw, fmt.Sprintf("counts after %d requests that must all be refused", len(refusedBodies)), 0)
		for _, c := range acceptedBodies {
			c.send(ctx, server).accepted(saw, "POST with "+c.about, c.batch)
		}
		if clean {
			waiting(ctx, server, saw, fmt.Sprintf("counts after %d requests that must all be accepted", len(acceptedBodies)), len(acceptedBodies))
		}
		saw.Note("%d bodies were refused and stored nothing; %d were accepted and stored a job each", len(refusedBodies), len(acceptedBodies))
		return saw.Unchanged(ctx, w, before)
	})
}

// send sends the body as the case says.
func (c bodyCase) send(ctx context.Context, server *world.Server) answer {
	contentType := jsonType
	if c.contentType != "" {
		contentType = strings.TrimPrefix(c.contentType, noType)
	}
	if !c.lengthUntold {
		return ask(ctx, server, http.MethodPost, importsPath, contentType, c.body)
	}
	// A reader of unknown length is sent in chunks, without Content-Length.
	body := struct{ io.Reader }{strings.NewReader(c.body)}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server.Base+importsPath, body)
	if err != nil {
		return answer{lost: err}
	}
	request.Header.Set("Content-Type", contentType)
	return exchange(server.HTTP, request)
}

// exchange sends a request that was made by hand.
func exchange(client *http.Client, request *http.Request) answer {
	response, err := client.Do(request)
	if err != nil {
		return answer{lost: err}
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	return answer{shop.Reply{Status: response.StatusCode, Header: response.Header, Body: content}, err}
}
