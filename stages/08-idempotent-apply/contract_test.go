package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// bodyCase is a body of POST /api/imports and its answer.
type bodyCase struct {
	Name, ContentType, Body, JobID, Code string
	Status                               int
}

func bodyCases(t *testing.T) []bodyCase {
	t.Helper()
	content, err := os.ReadFile("testdata/http-bodies.json")
	must(t, err)
	var cases []bodyCase
	must(t, json.Unmarshal(content, &cases))
	for i := range cases {
		cases[i].Body = strings.Replace(cases[i].Body, "<spaces: 2 MiB>", strings.Repeat(" ", 2<<20), 1)
	}
	if len(cases) < 15 {
		t.Fatalf("testdata/http-bodies.json has only %d cases", len(cases))
	}
	return cases
}

// requestKinds is each kind of fault in more than one dress. No code: accepted.
var requestKinds = []struct{ name, body, code string }{
	{"as written by a person", " {\n \"batchId\" : \"b1\" ,\t\"dataset\":\"shipment-a\" }\r\n", ""},
	{"escaped name", `{"dataset":"shipment-a","\u0062atchId":"b1"}`, ""},
	{"escaped value", `{"dataset":"shipment\u002da","batchId":"\u0062\u0031"}`, ""},
	{"shortest id", `{"dataset":"shipment-a","batchId":"1"}`, ""},
	{"hyphens only", `{"dataset":"shipment-a","batchId":"---"}`, ""},

	{"nothing", "", "invalid_json"},
	{"blanks", " \n", "invalid_json"},
	{"number", "7", "invalid_json"},
	{"string", `"shipment-a"`, "invalid_json"},
	{"true", "true", "invalid_json"},
	{"null and blanks", " null ", "invalid_json"},
	{"array", `[]`, "invalid_json"},
	{"array of objects", `[{"dataset":"shipment-a","batchId":"b1"}]`, "invalid_json"},
	{"not closed", `{"dataset":"shipment-a","batchId":"b1"`, "invalid_json"},
	{"comma at the end", `{"dataset":"shipment-a","batchId":"b1",}`, "invalid_json"},
	{"comment", `{"dataset":"shipment-a",/* */"batchId":"b1"}`, "invalid_json"},
	{"single quotes", `{'dataset':'shipment-a','batchId':'b1'}`, "invalid_json"},
	{"byte order mark", "\ufeff" + `{"dataset":"shipment-a","batchId":"b1"}`, "invalid_json"},
	{"a word after it", `{"dataset":"shipment-a","batchId":"b1"} x`, "invalid_json"},
	{"null after it", `{"dataset":"shipment-a","batchId":"b1"}null`, "invalid_json"},
	{"a zero byte after it", `{"dataset":"shipment-a","batchId":"b1"}` + "\x00", "invalid_json"},
	{"a line break in a string", "{\"dataset\":\"shipment-a\",\"batchId\":\"b\n1\"}", "invalid_json"},

	{"id null", `{"dataset":"shipment-a","batchId":null}`, "invalid_json"},
	{"id null with blanks", `{"dataset":"shipment-a","batchId": null }`, "invalid_json"},
	{"dataset null", `{"dataset":null,"batchId":"b1"}`, "invalid_json"},
	{"id true", `{"dataset":"shipment-a","batchId":true}`, "invalid_json"},
	{"id fraction", `{"dataset":"shipment-a","batchId":1.5}`, "invalid_json"},
	{"id huge number", `{"dataset":"shipment-a","batchId":1e999}`, "invalid_json"},
	{"id array", `{"dataset":"shipment-a","batchId":["b1"]}`, "invalid_json"},
	{"id object", `{"dataset":"shipment-a","batchId":{"batchId":"b1"}}`, "invalid_json"},
	{"dataset array", `{"dataset":["shipment-a"],"batchId":"b1"}`, "invalid_json"},
	{"deep value", `{"dataset":"shipment-a","batchId":` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + `}`, "invalid_json"},
	{"deeper than any reader goes", strings.Repeat(`{"batchId":`, 20000) + "1" + strings.Repeat("}", 20000), "invalid_json"},

	{"id twice, same", `{"batchId":"b1","dataset":"shipment-a","batchId":"b1"}`, "invalid_json"},
	{"id twice, side by side", `{"batchId":"b1","batchId":"b2","dataset":"shipment-a"}`, "invalid_json"},
	{"id twice, once escaped", `{"\u0062atchId":"b1","dataset":"shipment-a","batchId":"b2"}`, "invalid_json"},
	{"dataset twice", `{"dataset":"../x","batchId":"b1","dataset":"shipment-a"}`, "invalid_json"},
	{"id twice, first null", `{"batchId":null,"dataset":"shipment-a","batchId":"b2"}`, "invalid_json"},

	{"empty name", `{"":"x","dataset":"shipment-a","batchId":"b1"}`, "unknown_field"},
	{"name in capitals", `{"DATASET":"shipment-a","batchId":"b1"}`, "unknown_field"},
	{"name with a look-alike letter", `{"dataſet":"shipment-a","batchId":"b1"}`, "unknown_field"},
	{"version is not the client's", `{"contractVersion":1,"dataset":"shipment-a","batchId":"b1"}`, "unknown_field"},
	{"name with bytes that are no UTF-8", "{\"data\xffset\":\"shipment-a\",\"batchId\":\"b1\"}", "unknown_field"},
	{"__proto__", `{"__proto__":{},"dataset":"shipment-a","batchId":"b1"}`, "unknown_field"},

	{"no dataset", `{"batchId":"b1"}`, "invalid_dataset"},
	{"empty object", `{}`, "invalid_dataset"},
	{"dataset in capitals", `{"dataset":"Shipment-A","batchId":"b1"}`, "invalid_dataset"},
	{"dataset with its ending", `{"dataset":"shipment-a.csv","batchId":"b1"}`, "invalid_dataset"},
	{"dataset with a blank", `{"dataset":"shipment-a ","batchId":"b1"}`, "invalid_dataset"},
	{"dataset with a zero byte", `{"dataset":"shipment-a\u0000","batchId":"b1"}`, "invalid_dataset"},
	{"dataset with bytes that are no UTF-8", "{\"dataset\":\"shipment-a\xff\",\"batchId\":\"b1\"}", "invalid_dataset"},

	{"id empty", `{"dataset":"shipment-a","batchId":""}`, "invalid_batch_id"},
	{"id with a line break at its end", `{"dataset":"shipment-a","batchId":"b1\n"}`, "invalid_batch_id"},
	{"id with a blank", `{"dataset":"shipment-a","batchId":"b 1"}`, "invalid_batch_id"},
	{"id with a slash", `{"dataset":"shipment-a","batchId":"a/b"}`, "invalid_batch_id"},
	{"id with dots", `{"dataset":"shipment-a","batchId":".."}`, "invalid_batch_id"},
	{"id with an underscore", `{"dataset":"shipment-a","batchId":"a_b"}`, "invalid_batch_id"},
	{"id with letters of another script", `{"dataset":"shipment-a","batchId":"партия"}`, "invalid_batch_id"},
	{"id with digits of another script", `{"dataset":"shipment-a","batchId":"٣"}`, "invalid_batch_id"},
	{"id with bytes that are no UTF-8", "{\"dataset\":\"shipment-a\",\"batchId\":\"b\xff\"}", "invalid_batch_id"},
	{"id with half a surrogate pair", `{"dataset":"shipment-a","batchId":"b\ud800"}`, "invalid_batch_id"},
	{"id with a glob", `{"dataset":"shipment-a","batchId":"*"}`, "invalid_batch_id"},
}

func TestParseRequest(t *testing.T) {
	type test struct{ name, body, code, batchID string }
	var tests []test
	for _, c := range bodyCases(t) {
		if c.ContentType == "" && c.Status != 413 { // those two are found out before the body is parsed
			tests = append(tests, test{c.Name, c.Body, c.Code, strings.TrimPrefix(c.JobID, "shipment-")})
		}
	}
	for _, k := range requestKinds {
		tests = append(tests, test{k.name, k.body, k.code, ""})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := parseRequest([]byte(tt.body))
			if got := codeOf(t, err); got != tt.code {
				t.Fatalf("code %q (%v), want %q", got, err, tt.code)
			}
			if err == nil && (data.ContractVersion != 1 || data.Dataset != "shipment-a" || tt.batchID != "" && data.BatchID != tt.batchID) {
				t.Errorf("accepted as %+v", data)
			}
		})
	}
}

// codeOf is "" without an error; an error that is no refusal ends the test.
func codeOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	r, ok := asRefusal(err)
	if !ok {
		t.Fatalf("%v is not a refusal", err)
	}
	return r.code
}

// The worker's own check: nothing that another producer stored gets past it.
func TestParseJob(t *testing.T) {
	const good = `{"contractVersion":1,"dataset":"shipment-a","batchId":"b1"}`
	tests := []struct{ name, job, raw, code string }{
		{"good", jobName, good, ""},
		{"other order", jobName, `{"batchId":"b1","contractVersion":1,"dataset":"shipment-a"}`, ""},
		{"other job", "export-shipment", good, "unknown_job"},
		{"no job name", "", good, "unknown_job"},
		{"job name in capitals", "Import-Shipment", good, "unknown_job"},
		{"next version", jobName, `{"contractVersion":2,"dataset":"shipment-a","batchId":"b1"}`, "unknown_contract_version"},
		{"version 0", jobName, `{"contractVersion":0,"dataset":"shipment-a","batchId":"b1"}`, "unknown_contract_version"},
		{"negative version", jobName, `{"contractVersion":-1,"dataset":"shipment-a","batchId":"b1"}`, "unknown_contract_version"},
		{"no version", jobName, `{"dataset":"shipment-a","batchId":"b1"}`, "unknown_contract_version"},
		{"version as text", jobName, `{"contractVersion":"1","dataset":"shipment-a","batchId":"b1"}`, "invalid_json"},
		{"version with a fraction", jobName, `{"contractVersion":1.5,"dataset":"shipment-a","batchId":"b1"}`, "invalid_json"},
		{"version null", jobName, `{"contractVersion":null,"dataset":"shipment-a","batchId":"b1"}`, "invalid_json"},
		{"version twice", jobName, `{"contractVersion":2,"contractVersion":1,"dataset":"shipment-a","batchId":"b1"}`, "invalid_json"},
		{"a path", jobName, `{"contractVersion":1,"dataset":"../../etc/passwd","batchId":"b1"}`, "invalid_dataset"},
		{"a colon", jobName, `{"contractVersion":1,"dataset":"shipment-a","batchId":"a:b"}`, "invalid_batch_id"},
		{"more fields", jobName, `{"contractVersion":1,"dataset":"shipment-a","batchId":"b1","rows":[]}`, "unknown_field"},
		{"not JSON", jobName, `lamp,12`, "invalid_json"},
		{"nothing", jobName, ``, "invalid_json"},
		{"null", jobName, `null`, "invalid_json"},
		{"two values", jobName, good + good, "invalid_json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := parseJob(tt.job, tt.raw)
			if got := codeOf(t, err); got != tt.code {
				t.Fatalf("code %q (%v), want %q", got, err, tt.code)
			}
			if want := (jobData{1, "shipment-a", "b1"}); err == nil && data != want {
				t.Errorf("accepted as %+v, want %+v", data, want)
			}
		})
	}
}

func TestJobIDHasNoColon(t *testing.T) {
	if got, want := (jobData{BatchID: "b-1"}).jobID(), "shipment-b-1"; got != want {
		t.Errorf("job id %q, want %q", got, want)
	}
}

// FuzzRequestBody: no body makes it panic, every refusal has a code of the
// contract, and what is accepted is as agreed and survives being written again.
func FuzzRequestBody(f *testing.F) {
	for _, k := range requestKinds {
		f.Add([]byte(k.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		data, err := parseRequest(body)
		if err != nil {
			switch code := codeOf(t, err); code {
			case "invalid_json", "unknown_field", "invalid_dataset", "invalid_batch_id":
			default:
				t.Errorf("code %q is not one of the contract's", code)
			}
			return
		}
		if data.ContractVersion != contractVersion || data.Dataset != datasetA || !batchIDPattern.MatchString(data.BatchID) {
			t.Fatalf("accepted: %+v", data)
		}
		request, err := json.Marshal(map[string]string{"dataset": data.Dataset, "batchId": data.BatchID})
		must(t, err)
		again, err := parseRequest(request)
		must(t, err)
		stored, err := json.Marshal(data)
		must(t, err)
		taken, err := parseJob(jobName, string(stored))
		must(t, err)
		if diff := cmp.Diff([]jobData{data, data}, []jobData{again, taken}); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// FuzzBatchID compares the pattern with the rule said in other words.
func FuzzBatchID(f *testing.F) {
	for _, id := range []string{"", "b1", "a:b", "b1\n", "-", strings.Repeat("x", 64), strings.Repeat("x", 65), "é", "\xff", "a/b"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		want := len(id) >= 1 && len(id) <= 64
		for _, c := range []byte(id) {
			want = want && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-')
		}
		err := jobData{contractVersion, datasetA, id}.check()
		if (err == nil) != want {
			t.Errorf("%q: %v, want accepted %v", id, err, want)
		}
		if err != nil && !utf8.ValidString(err.Error()) {
			t.Errorf("the refusal %q is not UTF-8", err)
		}
	})
}
