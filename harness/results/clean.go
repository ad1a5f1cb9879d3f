package results

import (
	"reflect"
	"strings"
)

// Clean passes every string of the results through clean. What a program said, in
// an answer, a name or a log line, stands in many places; none of them may steer a
// terminal or look like a line of the report. Only a field with the tag clean:"lines"
// keeps its line breaks; whoever shows it sets its lines apart.
func Clean(r *Results, clean func(string) string) { walk(reflect.ValueOf(r).Elem(), clean) }

// CleanStorm is Clean for a storm.
func CleanStorm(s *Storm, clean func(string) string) { walk(reflect.ValueOf(s).Elem(), clean) }

// CleanLab is Clean for a lab.
func CleanLab(l *Lab, clean func(string) string) { walk(reflect.ValueOf(l).Elem(), clean) }

func walk(v reflect.Value, clean func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(clean(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("clean") == "lines" {
				lines := strings.Split(v.Field(i).String(), "\n")
				for j := range lines {
					lines[j] = clean(lines[j])
				}
				v.Field(i).SetString(strings.Join(lines, "\n"))
				continue
			}
			walk(v.Field(i), clean)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), clean)
		}
	}
}
