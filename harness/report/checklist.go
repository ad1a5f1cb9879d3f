package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// Record is what CHECKLIST.md knows.
type Record struct {
	Stages []Entry       `json:"stages"`
	Labs   []results.Lab `json:"labs"`
}

// LabsDigest is the place of the digest of the lessons and labs among those of the stages.
const LabsDigest = "labs"

// Entry is what CHECKLIST.md knows of one stage: what was found when it was run
// last. It holds no time and no path, so that the same findings give the same
// bytes.
type Entry struct {
	Stage    string         `json:"stage"`
	Status   results.Status `json:"status"`
	Server   string         `json:"server"`
	Cells    []EntryCell    `json:"cells"`
	Held     int            `json:"held"` // promises that held
	Promises int            `json:"promises"`
	Digest   string         `json:"digest"` // of the sources that were run
}

// EntryCell is one scenario with the teaching data's numbers.
type EntryCell struct {
	Scenario string          `json:"scenario"`
	Verdict  results.Verdict `json:"verdict"`
	Stocks   []string        `json:"stocks"` // one for each step
}

// NewEntry takes from the results of a stage what the checklist keeps.
func NewEntry(s results.Stage, e results.Engine) Entry {
	entry := Entry{Stage: s.ID, Status: s.Status, Server: e.Server + ", " + e.Kind, Promises: len(s.Promises), Digest: s.Digest}
	for _, p := range s.Promises {
		if p.Verdict == results.Holds {
			entry.Held++
		}
	}
	for _, cell := range s.Cells {
		kept := EntryCell{Scenario: cell.Scenario, Verdict: cell.Verdict}
		for _, run := range cell.Runs {
			if run.Data == "teaching" {
				for _, step := range run.Steps {
					kept.Stocks = append(kept.Stocks, step.Stock)
				}
			}
		}
		entry.Cells = append(entry.Cells, kept)
	}
	return entry
}

// ErrEdited says that a checklist is not as the harness wrote it.
var ErrEdited = errors.New("CHECKLIST.md was edited by hand")

const (
	dataStart = "<!-- results\n"
	dataEnd   = "\n-->\n"
)

// inTable keeps a text inside its field of the table.
var inTable = strings.NewReplacer("\n", " ", "\r", " ", "|", "\\|")

var sumLine = regexp.MustCompile(`(?m)^sum ([0-9a-f]{64})$`)

// ParseChecklist reads what is known back out of a checklist; ErrEdited if its
// data cannot be read or does not fit its sum.
func ParseChecklist(content []byte) (Record, error) {
	_, rest, found := bytes.Cut(content, []byte(dataStart))
	data, _, closed := bytes.Cut(rest, []byte(dataEnd))
	if !found || !closed {
		return Record{}, fmt.Errorf("%w: its data block is missing", ErrEdited)
	}
	match := sumLine.FindSubmatch(data)
	if match == nil {
		return Record{}, fmt.Errorf("%w: its sum is missing", ErrEdited)
	}
	body := bytes.TrimSuffix(data, append([]byte("\n"), match[0]...))
	if fmt.Sprintf("%x", sha256.Sum256(body)) != string(match[1]) {
		return Record{}, fmt.Errorf("%w: its data does not fit its sum", ErrEdited)
	}
	var record Record
	if err := json.Unmarshal(body, &record); err != nil {
		return Record{}, fmt.Errorf("%w: %v", ErrEdited, err)
	}
	return record, nil
}

// Checklist writes CHECKLIST.md from what was found when stages and labs were run.
// digests are those of the sources as they are now; what was run with other
// sources has lost its proof, and a stage without a digest is not there.
func Checklist(record Record, digests map[string]string) []byte {
	known := map[string]Entry{}
	for _, e := range record.Stages {
		known[e.Stage] = e
	}
	var out strings.Builder
	out.WriteString(`# Checklist

Written by the harness; do not edit it. A stage is ` + "`run`" + ` when all its scenarios and promises
were executed against a real Redis in a container, with evidence, and none is broken.
The numbers are stock: lamp / notebook / pencil, a hyphen for a product that is not there.

| stage | status |`)
	for _, s := range matrix.Scenarios {
		out.WriteString(" " + s.Name + " |")
	}
	out.WriteString(" promises | server | sources |\n|---|---|" + strings.Repeat("---|", len(matrix.Scenarios)+3) + "\n")
	for _, stage := range matrix.Stages {
		entry, ran := known[stage.ID]
		digest, there := digests[stage.ID]
		row := []string{stage.ID + " " + stage.Name, "`" + status(entry, ran, digest, there).String() + "`"}
		proven := ran && there && entry.Digest == digest
		for _, s := range matrix.Scenarios {
			row = append(row, cellText(entry, s.Name, proven))
		}
		if proven {
			row = append(row, fmt.Sprintf("%d of %d", entry.Held, entry.Promises), entry.Server, "`"+short(entry.Digest)+"`")
		} else {
			row = append(row, "", "", "")
		}
		for i, text := range row {
			row[i] = inTable.Replace(text)
		}
		out.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	labs(&out, record.Labs, digests[LabsDigest])
	out.WriteString("\n" + data(record))
	return []byte(out.String())
}

// labs writes the table of the labs: those that were run, in their order.
func labs(out *strings.Builder, found []results.Lab, digest string) {
	out.WriteString(`
## Labs

The experiments beside the lessons: ` + "`make labs`" + `. A lab is ` + "`run`" + ` when its tests were run, on a real Redis
where they need one, and none failed. What needs something that was not there is named.

| lab | status | tests passed | not run | sources |
|---|---|---|---|---|
`)
	if len(found) == 0 {
		out.WriteString("| all | `not_run (never run)` |  |  |  |\n")
	}
	for _, lab := range found {
		row := []string{lab.Name, "`not_run (sources changed since)`", "", "", ""}
		if lab.Digest == digest {
			row = []string{lab.Name, "`" + lab.Status.String() + "`", fmt.Sprint(lab.Passed), strings.Join(Skips(lab.Skipped), "; "), "`" + short(lab.Digest) + "`"}
		}
		for i, text := range row {
			row[i] = inTable.Replace(text)
		}
		out.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
}

// Skips names each reason once, with its tests or, if they are many, their number.
func Skips(list []results.Skip) []string {
	const most = 3
	var reasons []string
	tests := map[string][]string{}
	for _, s := range list {
		if tests[s.Reason] == nil {
			reasons = append(reasons, s.Reason)
		}
		tests[s.Reason] = append(tests[s.Reason], s.Test)
	}
	var parts []string
	for _, reason := range reasons {
		names := strings.Join(tests[reason], ", ")
		if n := len(tests[reason]); n > most {
			names = fmt.Sprintf("%d tests", n)
		}
		parts = append(parts, names+": "+reason)
	}
	return parts
}

func status(entry Entry, ran bool, digest string, there bool) results.Status {
	switch {
	case !there:
		return results.Status{Reason: "this stage is not built yet"}
	case !ran:
		return results.Status{Reason: "never run"}
	case entry.Digest != digest:
		return results.Status{Reason: "sources changed since"}
	}
	return entry.Status
}

func cellText(entry Entry, scenario string, proven bool) string {
	for _, cell := range entry.Cells {
		if cell.Scenario == scenario && proven {
			return string(cell.Verdict) + ": " + strings.Join(cell.Stocks, ", ")
		}
	}
	return ""
}

// data is the block that the file is read back from. It is in the order of the
// matrix, whatever was run first.
func data(record Record) string {
	sorted := Record{Stages: []Entry{}, Labs: append([]results.Lab{}, record.Labs...)}
	for _, stage := range matrix.Stages {
		for _, e := range record.Stages {
			if e.Stage == stage.ID {
				sorted.Stages = append(sorted.Stages, e)
			}
		}
	}
	body, err := json.MarshalIndent(sorted, "", " ")
	if err != nil {
		panic(err) // strings and numbers
	}
	// JSON escapes ">" inside strings, so nothing in it can end the comment.
	return fmt.Sprintf("%s%s\nsum %x%s", dataStart, body, sha256.Sum256(body), dataEnd)
}

func short(digest string) string {
	const most = len("sha256:") + 12
	if len(digest) > most {
		return digest[:most]
	}
	return digest
}
