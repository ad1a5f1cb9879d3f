package results_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"example.com/importer/harness/results"
)

// Every field of the JSON form stands in GRADING.md, and the version of the form too.
func TestEveryFieldIsDocumented(t *testing.T) {
	content, err := os.ReadFile("../GRADING.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(kind reflect.Type) {
		switch kind.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(kind.Elem())
		case reflect.Struct:
			if seen[kind] {
				return
			}
			seen[kind] = true
			for field := range kind.Fields() {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if !strings.Contains(string(content), "`"+name+"`") {
					t.Errorf("GRADING.md does not tell of %s (%s.%s)", name, kind.Name(), field.Name)
				}
				walk(field.Type)
			}
		}
	}
	walk(reflect.TypeFor[results.Results]())
	if !strings.Contains(string(content), "`"+results.Format+"`") {
		t.Errorf("GRADING.md does not tell of the format %s", results.Format)
	}
}
