package engine_test

import (
	"testing"

	"example.com/importer/harness/world/engine"
)

func TestParseKind(t *testing.T) {
	for _, kind := range []engine.Kind{engine.Auto, engine.Container, engine.Miniredis, engine.URL} {
		got, err := engine.ParseKind(string(kind))
		if err != nil || got != kind {
			t.Errorf("ParseKind(%q) = %q, %v", kind, got, err)
		}
	}

	_, err := engine.ParseKind("Docker")
	want := `engine "Docker" is unknown: choose auto, container, miniredis or url`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
