package lua_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/harness/world/engine/enginetest"
)

// The last item is removed and the list becomes an object, which no reader of lists takes.
// miniredis answers [] and would hide this.
func TestJSONEmptyList(t *testing.T) {
	rdb := enginetest.Database(t)
	wantReply(t, any([]any{`["pencil"]`, `["pencil"]`}))(run(t, rdb, "json-list", nil, `["lamp","pencil"]`, "lamp"))
	wantReply(t, any([]any{`{}`, `[]`}))(run(t, rdb, "json-list", nil, `["lamp"]`, "lamp"))

	var list []string
	if err := json.Unmarshal([]byte(`{}`), &list); err == nil {
		t.Error("Go reads {} as a list")
	}
	must(t, json.Unmarshal([]byte(`[]`), &list))
}

// cjson.encode writes 14 digits.
func TestJSONNumbers(t *testing.T) {
	rdb := enginetest.Database(t)
	for in, want := range map[string][]any{
		"9":                {"10", "10"},
		"99999999999998":   {"99999999999999", "99999999999999"},       // 14 digits
		"99999999999999":   {"1e+14", "100000000000000"},               // 15
		"123456789012345":  {"1.2345678901235e+14", "123456789012346"}, // the end is lost
		"9007199254740990": {"9.007199254741e+15", "9007199254740991"}, // 2^53 - 1
		"9007199254740991": {"9.007199254741e+15", ""},
		"9007199254740993": {"9.007199254741e+15", ""}, // decoding it has lost its end already
	} {
		wantReply(t, any(want))(run(t, rdb, "json-number", nil, in))
	}
	var n int64
	if err := json.Unmarshal([]byte("1e+14"), &n); err == nil {
		t.Error("Go reads 1e+14 as a whole number")
	}

	// What Lua cannot hold, Redis can count. The script's answer has been a number of Lua on its way,
	// and is one too small; what is stored is right, and is read as text.
	set(t, rdb, "n", "9007199254740992")
	wantReply(t, any(int64(9007199254740992)))(run(t, rdb, "add", []string{"n"}, "1"))
	wantKeys(t, rdb, map[string]string{"n": "9007199254740993"})
}

func TestJSONNullAndFalse(t *testing.T) {
	rdb := enginetest.Database(t)
	for in, want := range map[string][]any{
		`{}`:               {"missing", "missing"},
		`{"note":null}`:    {"there", "null"},
		`{"note":false}`:   {"missing", "false"},
		`{"note":true}`:    {"there", "boolean"},
		`{"note":""}`:      {"there", "string"},
		`{"note":0}`:       {"there", "number"},
		`{"note":["x"]}`:   {"there", "table"},
		`{"note":{"a":1}}`: {"there", "table"},
	} {
		wantReply(t, any(want))(run(t, rdb, "json-null", nil, in))
	}
}

// On its way to the client a number loses what is behind its point, false and nil become nothing, and
// a list ends at its first nil.
func TestWhatReachesTheClient(t *testing.T) {
	rdb := enginetest.Database(t)
	for source, want := range map[string]any{
		"return 3.99":                   int64(3),
		"return tostring(3.99)":         "3.99",
		"return {1, 2, nil, 4}":         []any{int64(1), int64(2)},
		"return {1, false, 3}":          []any{int64(1), nil, int64(3)},
		"return {true}":                 []any{int64(1)},
		"return {size = 1, 5}":          []any{int64(5)},
		"return redis.call('GET', 'k')": nil,
		"return redis.call('GET', 'k') == false and 'false' or 'nil'": "false",
	} {
		got, err := rdb.Eval(t.Context(), source, []string{"k"}).Result()
		if want == nil {
			if got != nil {
				t.Errorf("%s: got %v, want nothing", source, got)
			}
			continue
		}
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", source, diff)
		}
	}
}
