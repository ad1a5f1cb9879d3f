package promise

import "strings"

// maxBody is the largest body that the contract allows, in bytes.
const maxBody = 4 << 10

// noType stands for a request without Content-Type.
const noType = "none"

// bodyCase is one POST.
type bodyCase struct {
	about        string // what is special in it, in words
	body         string
	contentType  string // empty: application/json
	lengthUntold bool   // sent in chunks, so that only reading tells how long it is
	status       int    // of a refusal
	code         string // of a refusal
	batch        string // the batch id as it must be understood, if it is accepted
}

const valid = `{"dataset":"shipment-a","batchId":"b1"}`

var refusedBodies = []bodyCase{
	// The fields.
	{about: "a path as dataset", body: `{"dataset":"../../etc/passwd","batchId":"b1"}`, status: 400, code: "invalid_dataset"},
	{about: "an unknown dataset", body: `{"dataset":"shipment-b","batchId":"b1"}`, status: 400, code: "invalid_dataset"},
	{about: "a dataset in another case", body: `{"dataset":"Shipment-A","batchId":"b1"}`, status: 400, code: "invalid_dataset"},
	{about: "an empty dataset", body: `{"dataset":"","batchId":"b1"}`, status: 400, code: "invalid_dataset"},
	{about: "no dataset", body: `{"batchId":"b1"}`, status: 400, code: "invalid_dataset"},
	{about: "no batchId", body: `{"dataset":"shipment-a"}`, status: 400, code: "invalid_batch_id"},
	{about: "an empty batchId", body: importBody(""), status: 400, code: "invalid_batch_id"},
	{about: "a colon in batchId", body: importBody("a:b"), status: 400, code: "invalid_batch_id"},
	{about: "a space in batchId", body: importBody("a b"), status: 400, code: "invalid_batch_id"},
	{about: "an underscore in batchId", body: importBody("a_b"), status: 400, code: "invalid_batch_id"},
	{about: "a slash in batchId", body: importBody("../b1"), status: 400, code: "invalid_batch_id"},
	{about: "a line break at the end of batchId", body: importBody(`b1\n`), status: 400, code: "invalid_batch_id"},
	{about: "a zero character in batchId", body: importBody(`b1\u0000`), status: 400, code: "invalid_batch_id"},
	{about: "letters that are not Latin in batchId", body: importBody("партия"), status: 400, code: "invalid_batch_id"},
	{about: "digits that are not ASCII in batchId", body: importBody("b١"), status: 400, code: "invalid_batch_id"},
	{about: "a batchId of 65 characters", body: importBody(strings.Repeat("x", 65)), status: 400, code: "invalid_batch_id"},
	{about: "no field at all", body: `{}`, status: 400, code: "invalid_dataset or invalid_batch_id"},

	// Their types.
	{about: "a number as batchId", body: `{"dataset":"shipment-a","batchId":7}`, status: 400, code: "invalid_json"},
	{about: "a list as batchId", body: `{"dataset":"shipment-a","batchId":["b1"]}`, status: 400, code: "invalid_json"},
	{about: "an object as dataset", body: `{"dataset":{"name":"shipment-a"},"batchId":"b1"}`, status: 400, code: "invalid_json"},
	{about: "null as batchId", body: `{"dataset":"shipment-a","batchId":null}`, status: 400, code: "invalid_json or invalid_batch_id"},

	// The names.
	{about: "one field too many", body: `{"dataset":"shipment-a","batchId":"b1","rows":3}`, status: 400, code: "unknown_field"},
	{about: "a field of the stored job", body: `{"contractVersion":1,"dataset":"shipment-a","batchId":"b1"}`, status: 400, code: "unknown_field"},
	{about: "the field __proto__", body: `{"dataset":"shipment-a","batchId":"b1","__proto__":{}}`, status: 400, code: "unknown_field"},
	{about: "a field without a name", body: `{"dataset":"shipment-a","batchId":"b1","":""}`, status: 400, code: "unknown_field"},
	{about: "the field BatchID instead of batchId", body: `{"dataset":"shipment-a","BatchID":"b1"}`, status: 400, code: "unknown_field"},
	{about: "batchId twice", body: `{"dataset":"shipment-a","batchId":"b1","batchId":"b2"}`, status: 400, code: "invalid_json"},
	{about: "batchId twice with the same value", body: `{"dataset":"shipment-a","batchId":"b1","batchId":"b1"}`, status: 400, code: "invalid_json"},
	{about: "batchId twice, once with an escape in its name", body: `{"dataset":"shipment-a","batchId":"b1","\u0062atchId":"b2"}`, status: 400, code: "invalid_json"},
	{about: "dataset twice", body: `{"dataset":"shipment-b","dataset":"shipment-a","batchId":"b1"}`, status: 400, code: "invalid_json"},

	// The text.
	{about: "an empty body", body: "", status: 400, code: "invalid_json"},
	{about: "nothing but spaces", body: "  \n ", status: 400, code: "invalid_json"},
	{about: "null", body: "null", status: 400, code: "invalid_json"},
	{about: "a number", body: "7", status: 400, code: "invalid_json"},
	{about: "a string", body: `"shipment-a"`, status: 400, code: "invalid_json"},
	{about: "an empty list", body: "[]", status: 400, code: "invalid_json"},
	{about: "a list around the object", body: "[" + valid + "]", status: 400, code: "invalid_json"},
	{about: "an object that is cut short", body: strings.TrimSuffix(valid, "}"), status: 400, code: "invalid_json"},
	{about: "a comma before the closing brace", body: `{"dataset":"shipment-a","batchId":"b1",}`, status: 400, code: "invalid_json"},
	{about: "a comment", body: valid + " // b1", status: 400, code: "invalid_json"},
	{about: "a second object behind the first", body: valid + ` {"x":1}`, status: 400, code: "invalid_json"},
	{about: "a word behind the object", body: valid + "x", status: 400, code: "invalid_json"},
	{about: "a closing brace too many", body: valid + "}", status: 400, code: "invalid_json"},
	{about: "a byte order mark", body: "\ufeff" + valid, status: 400, code: "invalid_json"},
	{about: "a byte that is not UTF-8 in batchId", body: importBody("b\xff"), status: 400, code: "invalid_json or invalid_batch_id"},

	// The size.
	{about: "4097 bytes, all but the object spaces", body: padded(valid, maxBody+1), status: 413, code: "body_too_large"},
	{about: "4097 bytes of untold length", body: padded(valid, maxBody+1), lengthUntold: true, status: 413, code: "body_too_large"},
	{about: "2 MiB, all but the object spaces", body: padded(valid, 2<<20), status: 413, code: "body_too_large"},

	// The type of content.
	{about: "no Content-Type", body: valid, contentType: noType, status: 415, code: "unsupported_media_type"},
	{about: "Content-Type text/plain", body: valid, contentType: "text/plain", status: 415, code: "unsupported_media_type"},
	{about: "Content-Type of a form", body: valid, contentType: "application/x-www-form-urlencoded", status: 415, code: "unsupported_media_type"},
	{about: "a Content-Type that only begins like JSON", body: valid, contentType: "application/jsonp", status: 415, code: "unsupported_media_type"},
}

var acceptedBodies = []bodyCase{
	{about: "a valid body", body: importBody("plain"), batch: "plain"},
	{about: "a batchId of 64 characters", body: importBody(strings.Repeat("x", 64)), batch: strings.Repeat("x", 64)},
	{about: "a batchId of one hyphen", body: importBody("-"), batch: "-"},
	{about: "the fields in the other order", body: `{"batchId":"order","dataset":"shipment-a"}`, batch: "order"},
	{about: "spaces and line breaks between the parts", body: "\r\n{ \"dataset\" :\t\"shipment-a\" ,\n\"batchId\": \"spaces\" }\n", batch: "spaces"},
	{about: "an escape in the name of batchId", body: `{"dataset":"shipment-a","\u0062atchId":"name"}`, batch: "name"},
	{about: "an escape in the value of batchId", body: importBody(`\u0062atch`), batch: "batch"},
	{about: "exactly 4096 bytes", body: padded(importBody("full"), maxBody), batch: "full"},
	{about: "a length that is not told", body: importBody("chunks"), lengthUntold: true, batch: "chunks"},
	{about: "Content-Type with charset=utf-8", body: importBody("charset"), contentType: "application/json; charset=utf-8", batch: "charset"},
	{about: "Content-Type in capitals", body: importBody("capitals"), contentType: "Application/JSON", batch: "capitals"},
}

// padded is the body with spaces behind it, so that it has this size.
func padded(body string, size int) string {
	return body + strings.Repeat(" ", size-len(body))
}
