package report

import "example.com/importer/harness/results"

// isolated ends a head line: what the programs were kept from the machine by.
func isolated(i *results.Isolation) string {
	if i == nil {
		return ""
	}
	return ", each program isolated in a container (" + i.Image + ")"
}
