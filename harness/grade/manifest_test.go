package grade

import (
	"strings"
	"testing"
)

const rest = `"work":["w"],"seed":["s"],"enqueue":["e"]`

func TestManifest(t *testing.T) {
	m, err := parseManifest([]byte(`{"build":["make"],"serve":["bin/importer","serve"],` + rest + `}`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(m.Serve, " ") != "bin/importer serve" || m.Build[0] != "make" || m.Enqueue[0] != "e" {
		t.Errorf("got %+v", m)
	}
}

// What is wrong with a manifest is told with the file, the field, the value and what is
// allowed.
func TestBadManifests(t *testing.T) {
	for content, want := range map[string]string{
		``:                              "one JSON object with the fields build, enqueue, seed, serve, work",
		`[]`:                            "one JSON object",
		`{`:                             "no JSON",
		`{"serve":["a"]`:                "no JSON",
		`{"serve":["a"],` + rest + `}x`: "something stands behind",
		`{"serve":["a"],"serve":["b"],` + rest + `}`:       `field "serve" stands twice`,
		`{"Serve":["a"],` + rest + `}`:                     `no field "Serve"; allowed are build,`,
		`{"serve":["a"],"shell":true,` + rest + `}`:        `no field "shell"`,
		`{"serve":"python3 importer.py",` + rest + `}`:     `field "serve" is "python3 importer.py"; allowed is a list of words`,
		`{"serve":null,` + rest + `}`:                      `field "serve" is null`,
		`{"serve":[7],` + rest + `}`:                       `field "serve" is [7]`,
		`{"serve":[],` + rest + `}`:                        `field "serve" is missing or empty`,
		`{` + rest + `}`:                                   `field "serve" is missing or empty`,
		`{"serve":["a"],"work":["w"],"seed":["s"]}`:        `field "enqueue" is missing`,
		`{"serve":[""],` + rest + `}`:                      `field "serve" is [""]`,
		`{"serve":["a\u0000"],` + rest + `}`:               `no word may hold a zero character`,
		`{"serve":["../a"],` + rest + `}`:                  `field "serve" begins with "../a"`,
		`{"serve":["/bin/sh","-c","x"],` + rest + `}`:      `field "serve" begins with "/bin/sh"`,
		`{"serve":["a"],"build":["../../x"],` + rest + `}`: `field "build" begins`,
	} {
		_, err := parseManifest([]byte(content))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), ManifestFile) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s and %q", content, err, ManifestFile, want)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"serve":["a"],` + rest + `}`))
	f.Add([]byte(`{"serve":{"a":[1,{"b":null}]}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := parseManifest(content)
		if err == nil && (len(m.Serve) == 0 || len(m.Work) == 0 || len(m.Seed) == 0 || len(m.Enqueue) == 0) {
			t.Errorf("%q: a command is missing in %+v", content, m)
		}
	})
}
