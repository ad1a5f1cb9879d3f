package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// The subject contract between producer and worker. Its version is ours, not
// that of any library: it rises when the meaning of a job's data changes.
const (
	contractVersion = 1
	jobName         = "import-shipment"
	datasetA        = "shipment-a"
)

// jobData is what a job says: which known shipment, as which arrival.
type jobData struct {
	ContractVersion int    `json:"contractVersion"`
	Dataset         string `json:"dataset"` // a name we know, never a path
	BatchID         string `json:"batchId"` // one logical arrival, named by the client
}

// refusal is a business answer: what was asked for cannot be done, and asking
// again with the same content will not help. It is told apart from technical
// errors because only the latter are worth a retry.
type refusal struct {
	code   string // stable, for programs
	detail string // for people
}

func (r *refusal) Error() string { return r.code + ": " + r.detail }

func refuse(code, format string, args ...any) error {
	return &refusal{code: code, detail: fmt.Sprintf(format, args...)}
}

var batchIDPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,64}$`)

// check tests what the data says against the contract.
func (d jobData) check() error {
	switch {
	case d.ContractVersion != contractVersion:
		return refuse("unknown_contract_version", "contractVersion is %d, this program knows %d", d.ContractVersion, contractVersion)
	case d.Dataset != datasetA:
		return refuse("invalid_dataset", "dataset is %q, allowed is %q", d.Dataset, datasetA)
	case !batchIDPattern.MatchString(d.BatchID):
		return refuse("invalid_batch_id", "batchId is %q, allowed are 1 to 64 letters, digits and hyphens", d.BatchID)
	}
	return nil
}

// jobID joins with a hyphen because a colon separates the parts of Redis keys.
// The same arrival always has the same job id, so a repeated request finds the
// job of the first one.
func (d jobData) jobID() string { return "shipment-" + d.BatchID }

// parseRequest reads the body of POST /api/imports. The version is set by us:
// the client speaks HTTP, not the queue's contract.
func parseRequest(body []byte) (jobData, error) {
	data := jobData{ContractVersion: contractVersion}
	err := strictObject(body, map[string]any{"dataset": &data.Dataset, "batchId": &data.BatchID})
	if err == nil {
		err = data.check()
	}
	return data, err
}

// strictObject reads one JSON object into fields. encoding/json alone would let
// pass what a contract must not: unknown fields, names in another case, a name
// that stands twice (the last one wins silently), null, and text after the value.
func strictObject(raw []byte, fields map[string]any) error {
	if !json.Valid(raw) {
		return refuse("invalid_json", "one JSON object is expected, and nothing after it")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, _ := dec.Token(); start != json.Delim('{') {
		return refuse("invalid_json", "one JSON object is expected")
	}
	var seen []string
	for dec.More() {
		key, _ := dec.Token()
		name := key.(string) // valid JSON has nothing else here
		target, known := fields[name]
		if !known {
			return refuse("unknown_field", "field %q is not part of the contract", name)
		}
		if slices.Contains(seen, name) {
			return refuse("invalid_json", "field %q stands twice", name)
		}
		seen = append(seen, name)
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return refuse("invalid_json", "field %q: %v", name, err)
		}
		if err := json.Unmarshal(value, target); err != nil || string(value) == "null" {
			return refuse("invalid_json", "field %q has the wrong type", name)
		}
	}
	return nil
}

// asRefusal is errors.As with the type spelled out once.
func asRefusal(err error) (*refusal, bool) {
	var r *refusal
	return r, errors.As(err, &r)
}
