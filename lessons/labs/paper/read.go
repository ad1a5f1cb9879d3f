package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Todo stands where an answer is to be written.
const Todo = "todo"

// Read reads the answers of a YAML file: for each case the four fields. A field may still say todo.
// Errors name the file, the line, the value and what is allowed.
func Read(path string) (map[string]Answer, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the answers: %w", err)
	}
	r := reader{filepath.Base(path)}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("%s: %w", r.file, err) // it says the line
	}
	if len(document.Content) == 0 {
		return nil, fmt.Errorf("%s: it holds no answers", r.file)
	}
	answers := map[string]Answer{}
	err = r.members(document.Content[0], func(key, value *yaml.Node) error {
		if !slices.ContainsFunc(Cases, func(c Case) bool { return c.Name == key.Value }) {
			return r.errorf(key, "there is no case %q; there are %s", key.Value, names())
		}
		answer, err := r.answer(key, value)
		answers[key.Value] = answer
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, c := range Cases {
		if _, there := answers[c.Name]; !there {
			return nil, fmt.Errorf("%s: the case %s is missing", r.file, c.Name)
		}
	}
	return answers, nil
}

type reader struct{ file string }

func (r reader) errorf(at *yaml.Node, format string, arguments ...any) error {
	return fmt.Errorf("%s:%d: "+format, append([]any{r.file, at.Line}, arguments...)...)
}

// members calls each with what a mapping holds, and refuses what is no mapping or names a thing twice.
func (r reader) members(node *yaml.Node, each func(key, value *yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return r.errorf(node, "a list of name: value is expected here")
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if line, twice := seen[key.Value]; twice {
			return r.errorf(key, "%s is there already, in line %d", key.Value, line)
		}
		seen[key.Value] = key.Line
		if err := each(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (r reader) answer(of, node *yaml.Node) (Answer, error) {
	var answer Answer
	err := r.members(node, func(key, value *yaml.Node) error {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key.Value })
		if i < 0 {
			return r.errorf(key, "a case has no field %q; it has effects, second, known-in, then", key.Value)
		}
		f := fields[i]
		if value.Kind != yaml.ScalarNode || value.Value != Todo && !slices.Contains(f.values, value.Value) {
			return r.errorf(value, "%s: %q is none of %s", f.name, value.Value, strings.Join(f.values, ", "))
		}
		*f.of(&answer) = value.Value
		return nil
	})
	if err != nil {
		return Answer{}, err
	}
	for _, f := range fields {
		if *f.of(&answer) == "" {
			return Answer{}, r.errorf(of, "%s has no field %s", of.Value, f.name)
		}
	}
	return answer, nil
}

func names() string {
	var names []string
	for _, c := range Cases {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
