package measure

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// took is how long each job took in ms, from the moment that is named until a worker logged
// job_completed for it. It is for when all have ended.
func (g *ground) took(begun map[string]time.Time) ([]float64, error) {
	logs, err := filepath.Glob(filepath.Join(g.logs, "*-work"))
	if err != nil {
		return nil, fmt.Errorf("find the logs of the workers: %w", err)
	}
	ended := map[string]time.Time{}
	for _, log := range logs {
		if err := readCompleted(log, ended); err != nil {
			return nil, err
		}
	}
	var took []float64
	for jobID, from := range begun {
		to, ok := ended[jobID]
		if !ok || to.Before(from) {
			return nil, fmt.Errorf("%w: no worker says when it completed %s", ErrWrong, jobID)
		}
		took = append(took, millis(to.Sub(from)))
	}
	return took, nil
}

// readCompleted reads from a worker's log when each job was completed.
func readCompleted(path string, ended map[string]time.Time) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read a worker's log: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var line struct {
			Time         time.Time
			Event, JobID string
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return fmt.Errorf("%w: a worker's log has the line %q: %w", ErrWrong, lines.Text(), err)
		}
		if line.Event == "job_completed" {
			ended[line.JobID] = line.Time
		}
	}
	return lines.Err()
}
