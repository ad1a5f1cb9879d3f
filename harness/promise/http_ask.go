package promise

import (
	"context"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world"
	"example.com/importer/harness/world/program"
	"example.com/importer/harness/world/shop"
)

const (
	importsPath = "/api/imports"
	jsonType    = "application/json"
	problemType = "application/problem+json"
)

// answer is what a client was told; a request that got no answer is one too.
type answer struct {
	shop.Reply
	lost error
}

// ask sends one request. It never fails: that no answer came is for the check to
// see, in the place of the answer.
func ask(ctx context.Context, server *world.Server, method, path, contentType, body string) answer {
	reply, err := server.Do(ctx, method, path, contentType, []byte(body))
	return answer{reply, err}
}

func get(ctx context.Context, server *world.Server, path string) answer {
	return ask(ctx, server, http.MethodGet, path, "", "")
}

func post(ctx context.Context, server *world.Server, batch string) answer {
	return ask(ctx, server, http.MethodPost, importsPath, jsonType, importBody(batch))
}

func importBody(batch string) string {
	return `{"dataset":"shipment-a","batchId":"` + batch + `"}`
}

// String is the answer as a finding shows it.
func (a answer) String() string {
	if a.lost != nil {
		return "no whole answer: " + a.lost.Error()
	}
	text := fmt.Sprintf("%d %s", a.Status, a.Header.Get("Content-Type"))
	for _, name := range []string{"Location", "Retry-After", "Allow", "X-Cache"} {
		if value := a.Header.Get(name); value != "" {
			text += ", " + name + ": " + value
		}
	}
	return program.Sanitise(fmt.Sprintf("%s, %.200s", text, strings.TrimSpace(string(a.Body))))
}

// is says whether the answer has this status and this type of content.
func (a answer) is(status int, contentType string) bool {
	if a.lost != nil {
		return false
	}
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && kind == contentType && a.Status == status
}

// object is the body as a JSON object; nil if it is something else.
func (a answer) object() map[string]any {
	var object map[string]any
	if json.Unmarshal(a.Body, &object) != nil {
		return nil
	}
	return object
}

// must notes a finding about the answer unless ok. One that did not come, or 503 from
// a server that has no reason for it, may be the fault of a slow machine.
func (a answer) must(saw *Saw, ok bool, about, expected string) bool {
	note := saw.True
	if a.lost != nil || a.Status == http.StatusServiceUnavailable {
		note = saw.Soon
	}
	return note(ok, about, expected, a.String())
}

// accepted sees that the batch was taken: stored for later, and no word more.
func (a answer) accepted(saw *Saw, about, batch string) bool {
	id := shop.JobID(batch)
	place := importsPath + "/" + id
	ok := a.is(http.StatusAccepted, jsonType) && a.Header.Get("Location") == place &&
		cmp.Equal(a.object(), map[string]any{"jobId": id})
	return a.must(saw, ok, about, fmt.Sprintf(`202 application/json, Location: %s, {"jobId":"%s"} and no other field`, place, id))
}

// refused sees that the answer is this problem in the form of RFC 9457. Where the
// contract leaves two codes open, code names both: "one or other".
func (a answer) refused(saw *Saw, about string, status int, code string) bool {
	object := a.object()
	told, _ := object["code"].(string)
	title, _ := object["title"].(string)
	ok := a.is(status, problemType) && object["status"] == float64(status) && title != ""
	fits := false
	for _, allowed := range strings.Split(code, " or ") {
		fits = fits || told == allowed
	}
	return a.must(saw, ok && fits, about,
		fmt.Sprintf(`%d %s, with "code": %s, "status": %d and a "title"`, status, problemType, code, status))
}

// waiting sees that so many records are kept, all of jobs that wait.
func waiting(ctx context.Context, server *world.Server, saw *Saw, about string, jobs int) bool {
	expected := map[string]any{"counts": map[string]any{
		"waiting": float64(jobs), "active": 0.0, "delayed": 0.0, "completed": 0.0, "failed": 0.0,
	}}
	seen := get(ctx, server, importsPath)
	return seen.must(saw, seen.is(http.StatusOK, jsonType) && cmp.Equal(seen.object(), expected), about,
		fmt.Sprintf("GET %s counts %d waiting and 0 in every other state", importsPath, jobs))
}

// few keeps the first findings and tells how many more there were: a form that is
// wrong everywhere is wrong in every answer, and needs no page for each.
func few(saw *Saw) {
	const most = 6
	if more := len(saw.Findings) - most; more > 0 {
		saw.Findings = saw.Findings[:most]
		saw.Equal("further findings of this check", 0, more)
	}
}
