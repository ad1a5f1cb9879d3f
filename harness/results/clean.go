package results

import "reflect"

// Clean passes every string of the results through clean. What a program said, in
// an answer, a name or a log line, stands in many places; none of them may steer a
// terminal or look like a line of the report.
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
			walk(v.Field(i), clean)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), clean)
		}
	}
}
