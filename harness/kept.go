package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"example.com/importer/harness/matrix"
	"example.com/importer/harness/results"
)

// kept are the cells of a map in the making, one in a line, so that an interrupted map can
// be resumed. Its first line says what they were run with.
type kept struct {
	cells map[string]results.MapCell // from the map that is resumed
	mu    sync.Mutex
	file  *os.File
}

// keptHead is the first line.
type keptHead struct {
	Digest string `json:"digest"`
	Engine string `json:"engine"`
}

// openKept begins a new file, or goes on in the one that is there. To resume with other
// sources or on another Redis would mix what does not belong together.
func openKept(book workbook, stage matrix.Stage, b bench, resume bool) (*kept, error) {
	path := filepath.Join(string(book), ".build", "map-"+stage.ID+".jsonl")
	head := keptHead{b.digest, b.engine.Label}
	k := &kept{}
	if resume {
		if err := k.read(path, head); err != nil {
			return nil, err
		}
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if resume {
		mode = os.O_WRONLY | os.O_APPEND
	}
	var err error
	if k.file, err = os.OpenFile(path, mode, 0o644); err != nil {
		return nil, fmt.Errorf("keep the cells of the map: %w", err)
	}
	if !resume {
		err = json.NewEncoder(k.file).Encode(head)
	}
	return k, err
}

func (k *kept) read(path string, head keptHead) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: --resume: no map of this stage was begun", errUsage)
	}
	if err != nil {
		return fmt.Errorf("resume the map: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	var found keptHead
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &found) != nil || found != head {
		return fmt.Errorf("%w: --resume: the last map was begun with other sources or another Redis (%s); begin a new one", errUsage, found.Engine)
	}
	k.cells = map[string]results.MapCell{}
	for lines.Scan() {
		var cell results.MapCell
		if json.Unmarshal(lines.Bytes(), &cell) != nil {
			continue // the last line may have been cut off
		}
		k.cells[cell.Name] = cell
	}
	return lines.Err()
}

// add keeps a cell that proved something.
func (k *kept) add(cell results.MapCell) error {
	if cell.Outcome == "" {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := json.NewEncoder(k.file).Encode(cell); err != nil {
		return fmt.Errorf("keep cell %s of the map: %w", cell.Name, err)
	}
	return nil
}

func (k *kept) close() { k.file.Close() }
