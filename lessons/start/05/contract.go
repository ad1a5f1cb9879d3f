package main

import (
	"encoding/json"
	"errors"
	"fmt"
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

// check tests what the data says against the contract.
//
// TODO 05.4 (lessons/05-queue-enqueue.md#what-is-refused): check the data: refuse another
// contractVersion (code unknown_contract_version), a dataset that we do not know
// (invalid_dataset) and a batchId that is not 1 to 64 letters, digits and hyphens
// (invalid_batch_id).
func (d jobData) check() error {
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

// strictObject reads one JSON object into fields. encoding/json alone lets pass
// what a contract must not.
//
// TODO 05.5 (lessons/05-queue-enqueue.md#what-is-refused): read strictly: refuse
// an unknown field (code unknown_field), a name in another case (the same), a name
// that stands twice, null, and anything behind the object (invalid_json). A
// json.Decoder gives the names one by one.
func strictObject(raw []byte, fields map[string]any) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil {
		return refuse("invalid_json", "one JSON object is expected, and nothing after it")
	}
	for name, target := range fields {
		if value, ok := values[name]; ok {
			if err := json.Unmarshal(value, target); err != nil {
				return refuse("invalid_json", "field %q has the wrong type", name)
			}
		}
	}
	return nil
}

// asRefusal is errors.As with the type spelled out once.
func asRefusal(err error) (*refusal, bool) {
	var r *refusal
	return r, errors.As(err, &r)
}
