package measure

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTimesAreReadFromTheLogs(t *testing.T) {
	asked := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		log  string
		want float64 // ms; 0 for an error
	}{
		"completed": {`{"time":"2026-01-02T03:04:05.0005Z","event":"job_taken","jobId":"a"}
{"time":"2026-01-02T03:04:05.0025Z","event":"job_completed","jobId":"a"}
`, 2.5},
		"only taken":            {`{"time":"2026-01-02T03:04:05.0005Z","event":"job_taken","jobId":"a"}`, 0},
		"another job":           {`{"time":"2026-01-02T03:04:05.0025Z","event":"job_completed","jobId":"b"}`, 0},
		"before it was asked":   {`{"time":"2026-01-02T03:04:04.9Z","event":"job_completed","jobId":"a"}`, 0},
		"a line that is no log": {`panic: no`, 0},
	} {
		g := &ground{logs: t.TempDir()}
		if err := os.WriteFile(filepath.Join(g.logs, "1-work"), []byte(c.log), 0o644); err != nil {
			t.Fatal(err)
		}
		took, err := g.took(map[string]time.Time{"a": asked})
		switch {
		case c.want == 0 && !errors.Is(err, ErrWrong):
			t.Errorf("%s: %v, %v, but %v is expected", name, took, err, ErrWrong)
		case c.want > 0 && (err != nil || len(took) != 1 || took[0] != c.want):
			t.Errorf("%s: %v, %v, %v ms is expected", name, took, err, c.want)
		}
	}
}
