package grade

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

//go:embed points.csv
var defaultPoints []byte

// maxPoints bounds one field of the table.
const maxPoints = 1000

// Table says what each scenario and each promise is worth at each stage, and which of
// them a stage does not need.
type Table struct {
	worth    map[string]map[string]int // by name and stage
	optional []string
}

// DefaultTable is the table of the workbook.
func DefaultTable() Table {
	table, err := ParseTable("points.csv", defaultPoints)
	if err != nil {
		panic(err) // a test reads it
	}
	return table
}

// ParseTable reads a table: CSV with the header check,required,05,06,07,08 and a row
// for every scenario and promise. A field is empty where a stage does not have the
// check. Every error names the table, the line and what is allowed.
func ParseTable(name string, content []byte) (Table, error) {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))))
	header := append([]string{"check", "required"}, matrix.IDs()...)
	reader.FieldsPerRecord = len(header)
	rows, err := reader.ReadAll()
	if err != nil {
		return Table{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], header) {
		return Table{}, fmt.Errorf("%s line 1: the header must be %s", name, strings.Join(header, ","))
	}
	t := Table{worth: map[string]map[string]int{}}
	declared := declared()
	for i, row := range rows[1:] {
		bad := func(format string, args ...any) (Table, error) {
			return Table{}, fmt.Errorf("%s line %d: %s", name, i+2, fmt.Sprintf(format, args...))
		}
		check, required := row[0], row[1]
		stages, known := declared[check]
		switch {
		case !known:
			return bad("there is no check %q; see `harness run --help` and points.csv for their names", check)
		case t.worth[check] != nil:
			return bad("%s stands twice", check)
		case required != "yes" && required != "no":
			return bad("required is %q; allowed are yes and no", required)
		case required == "no":
			t.optional = append(t.optional, check)
		}
		t.worth[check] = map[string]int{}
		for column, stage := range matrix.IDs() {
			field := row[2+column]
			has := slices.Contains(stages, stage)
			if field == "" && !has {
				continue
			}
			points, err := strconv.Atoi(field)
			switch {
			case !has:
				return bad("stage %s has no check %s, and %q points for it; leave the field empty", stage, check, field)
			case err != nil || points < 0 || points > maxPoints:
				return bad("%q points for stage %s; allowed is a whole number from 0 to %d", field, stage, maxPoints)
			}
			t.worth[check][stage] = points
		}
	}
	for check := range declared {
		if t.worth[check] == nil {
			return Table{}, fmt.Errorf("%s: there is no row for %s; what is worth nothing gets 0", name, check)
		}
	}
	return t, nil
}

// declared lists the stages of every scenario and promise.
func declared() map[string][]string {
	all := map[string][]string{}
	for _, stage := range matrix.Stages {
		for _, cell := range stage.Cells {
			all[cell.Scenario] = append(all[cell.Scenario], stage.ID)
		}
		for _, p := range matrix.PromisesOf(stage.ID) {
			all[p.Name] = append(all[p.Name], stage.ID)
		}
	}
	return all
}

// Optional lists what a stage does not need.
func (t Table) Optional() []string { return t.optional }

// Apply writes the points into the results. A gap that a stage is known to have is
// what is asked of that stage, and earns all of its points.
func (t Table) Apply(r *results.Results) {
	for i := range r.Stages {
		stage := &r.Stages[i]
		sum := &results.Points{}
		of := func(name string, v results.Verdict) *results.Points {
			points := &results.Points{Of: t.worth[name][stage.ID]}
			if v == results.Holds || v == results.Gap {
				points.Earned = points.Of
			}
			sum.Earned += points.Earned
			sum.Of += points.Of
			return points
		}
		for j := range stage.Cells {
			stage.Cells[j].Points = of(stage.Cells[j].Scenario, stage.Cells[j].Verdict)
		}
		for j := range stage.Promises {
			stage.Promises[j].Points = of(stage.Promises[j].Name, stage.Promises[j].Verdict)
		}
		stage.Points = sum
	}
}
