package promise

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"example.com/importer/harness/world/shop"
)

func answered(status int, body string, header ...string) answer {
	a := answer{Reply: shop.Reply{Status: status, Header: http.Header{}, Body: []byte(body)}}
	for i := 0; i < len(header); i += 2 {
		a.Header.Set(header[i], header[i+1])
	}
	return a
}

func TestRefusedAnswers(t *testing.T) {
	const whole = `{"type":"about:blank","title":"Bad Request","status":400,"code":"invalid_json"}`
	for name, c := range map[string]struct {
		answer answer
		code   string
		fine   bool
	}{
		"as agreed":              {answered(400, whole, "Content-Type", problemType), "invalid_json", true},
		"with a charset":         {answered(400, whole, "Content-Type", problemType+"; charset=utf-8"), "invalid_json", true},
		"one of two codes":       {answered(400, whole, "Content-Type", problemType), "invalid_batch_id or invalid_json", true},
		"another code":           {answered(400, whole, "Content-Type", problemType), "unknown_field", false},
		"part of a code":         {answered(400, strings.Replace(whole, "invalid_json", "invalid", 1), "Content-Type", problemType), "invalid_json", false},
		"another status":         {answered(422, whole, "Content-Type", problemType), "invalid_json", false},
		"plain JSON":             {answered(400, whole, "Content-Type", jsonType), "invalid_json", false},
		"status told wrongly":    {answered(400, strings.Replace(whole, "400", "200", 1), "Content-Type", problemType), "invalid_json", false},
		"no title":               {answered(400, strings.Replace(whole, "title", "name", 1), "Content-Type", problemType), "invalid_json", false},
		"a page instead of JSON": {answered(400, "<h1>Bad Request</h1>", "Content-Type", problemType), "invalid_json", false},
		"no answer":              {answer{lost: errors.New("connection reset")}, "invalid_json", false},
	} {
		t.Run(name, func(t *testing.T) {
			var saw Saw
			if fine := c.answer.refused(&saw, "it", 400, c.code); fine != c.fine || (len(saw.Findings) == 0) != c.fine {
				t.Errorf("fine = %v with findings %v, want %v", fine, saw.Findings, c.fine)
			}
		})
	}
}

func TestAcceptedAnswers(t *testing.T) {
	place := []string{"Content-Type", jsonType, "Location", "/api/imports/shipment-b1"}
	for name, c := range map[string]struct {
		answer answer
		fine   bool
	}{
		"as agreed":          {answered(202, `{"jobId":"shipment-b1"}`, place...), true},
		"with a row count":   {answered(202, `{"jobId":"shipment-b1","rows":3}`, place...), false},
		"another id":         {answered(202, `{"jobId":"5f2c"}`, place...), false},
		"200":                {answered(200, `{"jobId":"shipment-b1"}`, place...), false},
		"without a Location": {answered(202, `{"jobId":"shipment-b1"}`, place[:2]...), false},
		"as text":            {answered(202, `{"jobId":"shipment-b1"}`, "Content-Type", "text/plain", place[2], place[3]), false},
		"no answer":          {answer{lost: errors.New("connection reset")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var saw Saw
			if fine := c.answer.accepted(&saw, "it", "b1"); fine != c.fine {
				t.Errorf("fine = %v with findings %v, want %v", fine, saw.Findings, c.fine)
			}
		})
	}
}

// The table is only worth something if its rows are what they say.
func TestBodyTable(t *testing.T) {
	stored, about := map[string]bool{}, map[string]bool{}
	for _, c := range acceptedBodies {
		if stored[c.batch] || c.batch == "" || len(c.body) > maxBody {
			t.Errorf("%s: batch %q, %d bytes: each accepted body must store a job of its own", c.about, c.batch, len(c.body))
		}
		stored[c.batch] = true
	}
	for _, c := range append(refusedBodies, acceptedBodies...) {
		if about[c.about] {
			t.Errorf("%s: stands twice", c.about)
		}
		about[c.about] = true
	}
	for _, c := range refusedBodies {
		if (len(c.body) > maxBody) != (c.status == http.StatusRequestEntityTooLarge) {
			t.Errorf("%s: %d bytes and status %d", c.about, len(c.body), c.status)
		}
	}
}
