package lesson

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Output is what a Go example of the labs prints, as `go test` proves it. A name is like
// law.ExampleCounter: the folder in labs, and the function.
func Output(labs, name string) (string, error) {
	folder, function, found := strings.Cut(name, ".")
	if !found {
		return "", fmt.Errorf("example %q is not folder.ExampleName", name)
	}
	files, err := filepath.Glob(filepath.Join(labs, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		return "", fmt.Errorf("example %s: %w", name, err)
	}
	var parsed []*ast.File
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return "", fmt.Errorf("example %s: %w", name, err)
		}
		parsed = append(parsed, f)
	}
	for _, example := range doc.Examples(parsed...) {
		if "Example"+example.Name != function {
			continue
		}
		if example.Output == "" || example.Unordered {
			return "", fmt.Errorf("example %s has no // Output:, so nothing proves what it prints", name)
		}
		return example.Output, nil
	}
	return "", fmt.Errorf("there is no example %s in %d test files of %s", function, len(files), folder)
}

var lines = regexp.MustCompile(`^L([0-9]+)(?:-L([0-9]+))?$`)

// Part is the part of a file that a reference names: path, path#L3, path#L3-L5, path#Function,
// path#Type or path#Type.Method. Of a declaration there are two texts, with its comment and without.
func Part(ref string) ([]string, error) {
	path, part, _ := strings.Cut(ref, "#")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("part of a file: %w", err)
	}
	if part == "" {
		return []string{string(content)}, nil
	}
	if found := lines.FindStringSubmatch(part); found != nil {
		return between(ref, string(content), found[1], found[2])
	}
	if filepath.Ext(path) != ".go" {
		return nil, fmt.Errorf("%s: only Go files have names to point at; others have lines, such as #L3-L5", ref)
	}
	return declaration(ref, path, part, content)
}

func between(ref, content, from, to string) ([]string, error) {
	if to == "" {
		to = from
	}
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	all := strings.SplitAfter(content, "\n")
	if err := errors.Join(err1, err2); err != nil || first < 1 || last < first || last > len(all) {
		return nil, fmt.Errorf("%s: there are no such lines among %d", ref, len(all))
	}
	return []string{strings.Join(all[first-1:last], "")}, nil
}

func declaration(ref, path, name string, content []byte) ([]string, error) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, path, content, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("part of a file: %w", err)
	}
	for _, decl := range parsed.Decls {
		comment, found := declares(decl, name)
		if !found {
			continue
		}
		text := func(from token.Pos) string {
			return string(content[files.Position(from).Offset:files.Position(decl.End()).Offset])
		}
		texts := []string{text(decl.Pos())}
		if comment != nil {
			texts = append(texts, text(comment.Pos()))
		}
		return texts, nil
	}
	return nil, fmt.Errorf("%s: the file declares no %s", ref, name)
}

// declares says whether a declaration is the one of a name, and which comment belongs to it.
func declares(decl ast.Decl, name string) (*ast.CommentGroup, bool) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		full := d.Name.Name
		if d.Recv != nil {
			full = receiver(d.Recv.List[0].Type) + "." + full
		}
		return d.Doc, full == name
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.Name == name {
					return d.Doc, true
				}
			case *ast.ValueSpec:
				for _, ident := range s.Names {
					if ident.Name == name {
						return d.Doc, true
					}
				}
			}
		}
	}
	return nil, false
}

func receiver(expr ast.Expr) string {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
