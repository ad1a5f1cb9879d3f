package results

// Lab is what the tests of one lab proved.
type Lab struct {
	Name    string   `json:"name"` // law, ledger, lua, paper
	Status  Status   `json:"status"`
	Passed  int      `json:"passed"`
	Failed  []string `json:"failed,omitempty"`
	Skipped []Skip   `json:"skipped,omitempty"`
	Digest  string   `json:"digest"` // of the sources of the labs
}

// Skip is a test that was not run, and why.
type Skip struct {
	Test   string `json:"test"`
	Reason string `json:"reason"` // such as "not_run (needs 8.4)"
}
