package report

import (
	"encoding/json"
	"io"
)

// JSON writes what was found for programs.
func JSON(w io.Writer, found any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(found)
}
