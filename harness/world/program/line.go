package program

import (
	"encoding/json"
	"time"
)

// Line is one line that a program printed, made harmless by Sanitise.
type Line struct {
	// At is when the harness had read the whole line.
	At time.Time
	// Text is the line without its line break. A line longer than
	// Limits.MaxLine ends in a note of how many bytes were cut off.
	Text string
	// Event and JobID are the fields "event" and "jobId" of a log line, and
	// empty where there is none or it is not a string.
	Event, JobID string
	// Fields is the line decoded, if it is one JSON object and nothing else:
	// numbers are float64. Otherwise nil.
	Fields map[string]any
}

func newLine(at time.Time, raw []byte, note string) Line {
	l := Line{At: at, Text: Sanitise(string(raw)) + note}
	if len(raw) == 0 || raw[0] != '{' || note != "" {
		return l
	}
	var fields map[string]any
	if json.Unmarshal(raw, &fields) != nil {
		return l // not a log line; its text is all there is to it
	}
	l.Fields, _ = sanitiseValue(fields).(map[string]any)
	l.Event, _ = l.Fields["event"].(string)
	l.JobID, _ = l.Fields["jobId"].(string)
	return l
}
