package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/engine"
)

func TestParseVersion(t *testing.T) {
	for in, want := range map[string]engine.Version{
		"7.0.15":      {Server: "Redis", Major: 7, Patch: 15},
		"8.4":         {Server: "Redis", Major: 8, Minor: 4},
		"8.4.0-rc1":   {Server: "Redis", Major: 8, Minor: 4},
		"255.255.255": {Server: "Redis", Major: 255, Minor: 255, Patch: 255},
	} {
		got, err := engine.ParseVersion(in)
		if err != nil {
			t.Errorf("ParseVersion(%q): %v", in, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("ParseVersion(%q) (-want +got):\n%s", in, diff)
		}
	}

	for _, in := range []string{"", "8", "8.", "8.x", "-8.4", "8.4.0.1", "8.+4", "99999999999.0"} {
		if got, err := engine.ParseVersion(in); err == nil {
			t.Errorf("ParseVersion(%q) = %v, want an error", in, got)
		}
	}
}

func FuzzParseVersion(f *testing.F) {
	f.Add("7.0.15")
	f.Add("8.4-rc1")
	f.Fuzz(func(t *testing.T, in string) {
		v, err := engine.ParseVersion(in)
		if err == nil && (v.Major < 0 || v.Minor < 0 || v.Patch < 0) {
			t.Errorf("ParseVersion(%q) = %+v, which no server is", in, v)
		}
	})
}

func TestAtLeast(t *testing.T) {
	redis84 := engine.Version{Server: "Redis", Major: 8, Minor: 4}
	imitation := engine.Version{Server: "miniredis", Major: 9}
	for _, c := range []struct {
		version      engine.Version
		major, minor int
		want         bool
	}{
		{redis84, 8, 4, true},
		{redis84, 8, 3, true},
		{redis84, 7, 9, true},
		{redis84, 8, 5, false},
		{redis84, 9, 0, false},
		{imitation, 2, 0, false},
	} {
		if got := c.version.AtLeast(c.major, c.minor); got != c.want {
			t.Errorf("%v at least %d.%d: %v, want %v", c.version, c.major, c.minor, got, c.want)
		}
	}
}

func TestVersionString(t *testing.T) {
	for want, v := range map[string]engine.Version{
		"Redis 7.0.15":      {Server: "Redis", Major: 7, Patch: 15},
		"miniredis v2.40.0": {Server: "miniredis", Major: 2, Minor: 40},
		"miniredis":         {Server: "miniredis"},
	} {
		if got := v.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
