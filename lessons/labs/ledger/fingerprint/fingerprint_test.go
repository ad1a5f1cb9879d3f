package fingerprint_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/importer/lessons/labs/ledger/fingerprint"
)

func of(input string) (string, error) {
	normal, err := fingerprint.Normalise([]byte(input))
	return fingerprint.Of(normal), err
}

func must(t rapid.TB, input string) string {
	t.Helper()
	f, err := of(input)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	return f
}

func TestFingerprint(t *testing.T) {
	const one = `{"sku":"lamp","quantity":2,"tags":["a","b"],"note":"é"}`
	for name, c := range map[string]struct {
		other string
		same  bool
	}{
		"order of names":     {`{"note":"é","tags":["a","b"],"quantity":2,"sku":"lamp"}`, true},
		"white space":        {" {\n\t\"sku\" : \"lamp\", \"quantity\":2,\"tags\":[ \"a\",\"b\" ],\"note\":\"é\"}\n", true},
		"a number as 2.0":    {`{"sku":"lamp","quantity":2.0,"tags":["a","b"],"note":"é"}`, true},
		"a number as 0.2e1":  {`{"sku":"lamp","quantity":0.2e1,"tags":["a","b"],"note":"é"}`, true},
		"an escape":          {`{"sku":"l\u0061mp","quantity":2,"tags":["a","b"],"note":"\u00e9"}`, true},
		"another number":     {`{"sku":"lamp","quantity":3,"tags":["a","b"],"note":"é"}`, false},
		"a number as text":   {`{"sku":"lamp","quantity":"2","tags":["a","b"],"note":"é"}`, false},
		"order of an array":  {`{"sku":"lamp","quantity":2,"tags":["b","a"],"note":"é"}`, false},
		"a name more":        {`{"sku":"lamp","quantity":2,"tags":["a","b"],"note":"é","gift":null}`, false},
		"a composed accent":  {`{"sku":"lamp","quantity":2,"tags":["a","b"],"note":"e\u0301"}`, false},
		"a blank in a value": {`{"sku":"lamp ","quantity":2,"tags":["a","b"],"note":"é"}`, false},
	} {
		if same := must(t, one) == must(t, c.other); same != c.same {
			t.Errorf("%s: the same fingerprint: %v, want %v", name, same, c.same)
		}
	}
}

func TestFingerprintOfNumbers(t *testing.T) {
	for _, equal := range [][]string{
		{"0", "-0", "0.0", "0e9", "0.000e-400"},
		{"1", "1.0", "1e0", "10e-1", "0.1e1"},
		{"0.1", "1e-1", "0.10"},
		{"9007199254740992", "9007199254740992.0"},
		{"1e308", "1E+308"},
	} {
		for _, number := range equal {
			if must(t, equal[0]) != must(t, number) {
				t.Errorf("%s and %s differ", equal[0], number)
			}
		}
	}
	// Read as float64 each of them would be another number.
	for _, number := range []string{
		"9007199254740993", "0.1000000000000000000001", "1e309", "-1e309", "1e-400", "123456789012345678", "1e999999999", "1e-999999999",
	} {
		if f, err := of(`{"n":` + number + `}`); !errors.Is(err, fingerprint.ErrInput) || !strings.Contains(err.Error(), number) {
			t.Errorf("%s: fingerprint %q, error %v, want ErrInput that names it", number, f, err)
		}
	}
}

func TestInputWithoutFingerprint(t *testing.T) {
	for _, input := range []string{
		"", " ", "{", `{"a":1}{"a":1}`, `{"a":1} x`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `{'a':1}`, "\"\xff\"", `"\ud800"`, `[1,]`, `01`, `+1`, `NaN`, "nul",
	} {
		if f, err := of(input); !errors.Is(err, fingerprint.ErrInput) {
			t.Errorf("%q: fingerprint %q, error %v, want ErrInput", input, f, err)
		}
	}
}

// Any object, written with its names in any order, has one fingerprint.
func TestFingerprintOfAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOf(rapid.String(), rapid.IntRange(-1000, 1000)).Draw(t, "object")
		names := slices.Collect(maps.Keys(object))
		slices.Sort(names)
		written := func(names []string) string {
			var members []string
			for _, name := range names {
				key, err := json.Marshal(name)
				if err != nil {
					t.Fatal(err)
				}
				value, err := json.Marshal(object[name])
				if err != nil {
					t.Fatal(err)
				}
				members = append(members, string(key)+":"+string(value))
			}
			return "{" + strings.Join(members, ",") + "}"
		}
		shuffled := rapid.Permutation(names).Draw(t, "order")
		if must(t, written(names)) != must(t, written(shuffled)) {
			t.Fatal("the order of names makes a difference")
		}
	})
}

func FuzzFingerprint(f *testing.F) {
	f.Add(`{"a":[1,2.0,"x",null,true]}`)
	f.Add(`{"n":9007199254740993}`)
	f.Add(`"\ud834\udd1e"`)
	f.Fuzz(func(t *testing.T, input string) {
		first, err := of(input)
		if err != nil {
			if !errors.Is(err, fingerprint.ErrInput) {
				t.Errorf("%q: %v is not ErrInput", input, err)
			}
			return
		}
		if again, err := of(" \n" + input + "\t"); err != nil || again != first {
			t.Errorf("%q: white space around it makes %s of %s, %v", input, again, first, err)
		}
		normal, err := fingerprint.Normalise([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := of(string(normal)); err != nil || again != first {
			t.Errorf("%q: its own normal form %q makes %s of %s, %v", input, normal, again, first, err)
		}
	})
}
