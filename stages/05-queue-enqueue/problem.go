package main

import (
	"encoding/json"
	"net/http"
)

// problem is an error answer in the form of RFC 9457 (application/problem+json).
// Programs read the code, which is stable; people read the detail.
type problem struct {
	status int
	code   string
	detail string
}

func (p problem) Error() string { return p.code + ": " + p.detail }

// problemOf finds the answer for an error of a handler. What is no refusal is
// trouble with Redis: refused, hanging, loading, read-only, out of memory or
// damaged data. They are one answer, because to the client they are one thing:
// not now, and whether a job was stored is unknown.
func problemOf(err error) problem {
	if p, ok := err.(problem); ok {
		return p
	}
	if r, ok := asRefusal(err); ok {
		return problem{http.StatusBadRequest, r.code, r.detail}
	}
	return problem{http.StatusServiceUnavailable, "redis_unavailable",
		"Redis gave no usable answer; an import that was asked for may have been stored or not: repeat it with the same batchId"}
}

func (p producer) writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	answer := problemOf(err)
	if answer.status == http.StatusServiceUnavailable {
		p.log.Error("redis_unavailable", "path", r.URL.Path, "error", err.Error())
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(answer.status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "about:blank", "title": http.StatusText(answer.status),
		"status": answer.status, "code": answer.code, "detail": answer.detail,
	})
}

// unknownRoute answers what no route took: the path is known with other methods
// (allow names them), or it is not known at all.
func (p producer) unknownRoute(allow string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if allow == "" {
			p.writeProblem(w, r, problem{http.StatusNotFound, "not_found", "there is nothing at this path"})
			return
		}
		w.Header().Set("Allow", allow)
		p.writeProblem(w, r, problem{http.StatusMethodNotAllowed, "method_not_allowed", "allowed here: " + allow})
	}
}
