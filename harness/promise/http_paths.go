package promise

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"example.com/importer/harness/world"
)

// unknownPaths lead nowhere; the first is that of a job that nobody stored.
var unknownPaths = []string{importsPath + "/shipment-nobody", "/", "/api", "/api/nothing", "/importer"}

// knownPaths, and the methods that they take.
var knownPaths = []struct {
	path    string
	allowed []string
}{
	{importsPath, []string{"GET", "POST"}},
	{importsPath + "/shipment-batch-a", []string{"GET"}},
	{"/api/products", []string{"GET"}},
	{"/healthz", []string{"GET"}},
}

// pathsAndMethods: what is not there, and what cannot be done, is told in a form
// that programs can read.
func pathsAndMethods(ctx context.Context, lab *world.Lab, saw *Saw) error {
	defer few(saw)
	return lab.In(ctx, func(w *world.World) error {
		server, err := w.Serve(ctx, "server", nil)
		if err != nil {
			return err
		}
		health := get(ctx, server, "/healthz")
		health.must(saw, health.lost == nil && health.Status == http.StatusOK, "GET /healthz while Redis answers", "200")
		for _, path := range unknownPaths {
			get(ctx, server, path).refused(saw, "GET "+path, http.StatusNotFound, "not_found")
		}
		post(ctx, server, "batch-a").accepted(saw, "answer to POST of batch-a", "batch-a")
		refused := 0
		for _, known := range knownPaths {
			for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
				if !slices.Contains(known.allowed, method) {
					methodRefused(ctx, server, saw, method, known.path, known.allowed)
					refused++
				}
			}
		}
		waiting(ctx, server, saw, "counts after all refused methods", 1)
		saw.Note("%d unknown paths and %d wrong methods were refused, and the one stored job stayed", len(unknownPaths), refused)
		return nil
	})
}

// methodRefused sees 405, and that Allow names what may be asked instead.
func methodRefused(ctx context.Context, server *world.Server, saw *Saw, method, path string, allowed []string) {
	seen := ask(ctx, server, method, path, jsonType, importBody("batch-b"))
	if !seen.refused(saw, method+" "+path, http.StatusMethodNotAllowed, "method_not_allowed") {
		return
	}
	var told []string
	for _, name := range strings.Split(strings.Join(seen.Header.Values("Allow"), ","), ",") {
		told = append(told, strings.TrimSpace(name))
	}
	ok := !slices.Contains(told, method)
	for _, name := range allowed {
		ok = ok && slices.Contains(told, name)
	}
	saw.True(ok, "Allow in the answer to "+method+" "+path, strings.Join(allowed, ", ")+", and not "+method, strings.Join(told, ", "))
}
