// Package start makes the folder in which a learner writes a stage: the sources of
// the stage before it, with what the lesson teaches left to do.
package start

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"example.com/importer/harness/matrix"
)

// Plan is what the folder of one stage begins with.
type Plan struct {
	Stage matrix.Stage
	Files []File // sorted by name
}

// Origin says where a file of a plan comes from.
type Origin string

// The origins.
const (
	ToDo   Origin = "to do"  // the lesson teaches it; it has TODO markers
	Given  Origin = "given"  // new in this stage and not taught
	Before Origin = "before" // as in the stage before
)

// File is one file of a plan.
type File struct {
	Name    string // with slashes, below the folder
	Origin  Origin
	Content []byte
}

// Folder is where the folder of a stage lies in a workbook.
func Folder(workbook, stage string) string { return filepath.Join(workbook, "work", stage) }

// NewPlan reads the plan of a stage from a workbook: stages/ has the sources, and
// lessons/start/NN the files that are left to do. The first stage has none before it;
// what its lesson does not teach is given.
func NewPlan(workbook string, stage matrix.Stage) (Plan, error) {
	todo, err := sourcesIn(filepath.Join(workbook, "lessons", "start", stage.ID))
	if err != nil {
		return Plan{}, fmt.Errorf("read what stage %s leaves to do: %w", stage.ID, err)
	}
	now, err := sourcesIn(stageDir(workbook, stage))
	if err != nil {
		return Plan{}, fmt.Errorf("read stage %s: %w", stage.ID, err)
	}
	before := map[string][]byte{}
	if i := slices.IndexFunc(matrix.Stages, func(s matrix.Stage) bool { return s.ID == stage.ID }); i > 0 {
		if before, err = sourcesIn(stageDir(workbook, matrix.Stages[i-1])); err != nil {
			return Plan{}, fmt.Errorf("read the stage before %s: %w", stage.ID, err)
		}
	}
	plan := Plan{Stage: stage}
	for name := range todo {
		if _, there := now[name]; !there {
			return Plan{}, fmt.Errorf("lessons/start/%s has %s, which stage %s has not", stage.ID, name, stage.ID)
		}
	}
	for name, content := range now {
		f := File{Name: name, Origin: Given, Content: content}
		if left, there := todo[name]; there {
			f.Origin, f.Content = ToDo, left
		} else if old, there := before[name]; there && bytes.Equal(old, content) {
			f.Origin = Before
		}
		plan.Files = append(plan.Files, f)
	}
	module, err := moduleFiles(workbook, stage)
	if err != nil {
		return Plan{}, err
	}
	plan.Files = append(plan.Files, module...)
	slices.SortFunc(plan.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return plan, nil
}

// File is the file of this name.
func (p Plan) File(name string) (File, bool) {
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return File{}, false
	}
	return p.Files[i], true
}

func stageDir(workbook string, stage matrix.Stage) string {
	return filepath.Join(workbook, "stages", stage.Folder())
}

// sourcesIn reads the sources of a program. Tests stay where they are: those of a
// reference stage look inside, and a learner's program may be another one there.
func sourcesIn(dir string) (map[string][]byte, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	root := os.DirFS(dir)
	for _, pattern := range []string{"*.go", "lua/*.lua"} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			if files[name], err = fs.ReadFile(root, name); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// moduleFiles make the folder a module of its own: the stage's, under another path.
// The go.work keeps the workbook's own from hiding it, so that go and editors work in
// it as anywhere.
func moduleFiles(workbook string, stage matrix.Stage) ([]File, error) {
	read := func(name string) ([]byte, error) {
		content, err := os.ReadFile(filepath.Join(stageDir(workbook, stage), name))
		if err != nil {
			return nil, fmt.Errorf("read the module of stage %s: %w", stage.ID, err)
		}
		return content, nil
	}
	mod, modErr := read("go.mod")
	sum, sumErr := read("go.sum")
	if err := errors.Join(modErr, sumErr); err != nil {
		return nil, err
	}
	module, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, fmt.Errorf("read the module of stage %s: %w", stage.ID, err)
	}
	if err := module.AddModuleStmt(path.Join(path.Dir(path.Dir(module.Module.Mod.Path)), "work", stage.ID)); err != nil {
		return nil, fmt.Errorf("name the module: %w", err)
	}
	if mod, err = module.Format(); err != nil {
		return nil, fmt.Errorf("write the module: %w", err)
	}
	work := "go " + module.Go.Version + "\n\nuse .\n"
	return []File{
		{Name: "go.mod", Origin: Given, Content: mod},
		{Name: "go.sum", Origin: Given, Content: sum},
		{Name: "go.work", Origin: Given, Content: []byte(work)},
	}, nil
}
